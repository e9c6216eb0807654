import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkEnv, field, isNetwork } from './env.ts';

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

it('takes 0 for a port only where the system may choose one', () => {
  expect(checkEnv(z.object({ PORT: field.port }), { PORT: '0' })).toEqual({ values: { PORT: 0 } });
  expect(checkEnv(z.object({ PORT: field.fixedPort }), { PORT: '0' })).toEqual({ errors: ['PORT: must be a port number from 1 to 65535'] });
});

it('leaves the sixteen ports after the shell’s to release sets', () => {
  const shell = z.object({ SHELL_PORT: field.shellPort });
  expect(checkEnv(shell, { SHELL_PORT: '65519' })).toEqual({ values: { SHELL_PORT: 65_519 } });
  for (const SHELL_PORT of ['0', '65520', '70000', 'a']) {
    const error = 'SHELL_PORT: must be a port number from 1 to 65519, as release sets listen on the sixteen after it';
    expect(checkEnv(shell, { SHELL_PORT })).toEqual({ errors: [error] });
  }
});

it('takes an origin with or without its slash, and nothing behind it', () => {
  const origin = z.object({ NEWS_URL: field.origin });
  for (const NEWS_URL of ['http://127.0.0.1:3201', 'https://news.example/']) expect(checkEnv(origin, { NEWS_URL }).errors).toBeUndefined();
  for (const path of ['/base', '/?a', '/#a']) {
    expect(checkEnv(origin, { NEWS_URL: `http://127.0.0.1:3201${path}` })).toEqual({ errors: ['NEWS_URL: must have no path'] });
  }
  expect(checkEnv(origin, { NEWS_URL: '127.0.0.1' })).toEqual({ errors: ['NEWS_URL: must be a URL that starts with http:// or https://'] });
});

it.each([
  [true, ['192.0.2.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/128']],
  [false, ['foo', '', '1', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '1.2.3.4/8/8', '2001:db8::/129', '[::1]']],
])('an address or a network: %s', (is, entries) => {
  expect(entries.filter((entry) => isNetwork(entry) !== is)).toEqual([]);
});
