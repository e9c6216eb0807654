import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkEnv, field } from './env.ts';

const schema = z.object({
  PORT: field.port.default(3000),
  ORIGIN: field.url,
  MONGODB_URI: field.mongodbUri.optional(),
  SEED: field.flag.default(false),
});

it('parses what is there and takes an empty string as unset', () => {
  expect(checkEnv(schema, { PORT: '', ORIGIN: 'https://a.example', SEED: 'true', HOME: '/root' })).toEqual({
    values: { PORT: 3000, ORIGIN: 'https://a.example', SEED: true },
  });
});

it('names each variable that is missing or wrong, without its value', () => {
  expect(checkEnv(schema, { PORT: '70000', ORIGIN: '', MONGODB_URI: 'mysql://root:secret@db', SEED: 'yes' })).toEqual({
    errors: [
      'PORT: must be a port number from 0 to 65535',
      'ORIGIN: is required',
      'MONGODB_URI: must be a MongoDB connection string (mongodb://…)',
      'SEED: must be true or false',
    ],
  });
});
