/** The environment of the news service. */
import { field, readEnv } from '@colonnade/service/env';
import { z } from 'zod';

const schema = z
  .object({
    /** The port of the API and of `/livez`, `/readyz`, `/metrics`. */
    NEWS_PORT: field.port.default(3201),
    /** The address to listen on; loopback unless the gateway is on another machine. */
    HOST: z.string().default('127.0.0.1'),
    /** MongoDB for this service only; the path names the database (default `colonnade_news`). */
    NEWS_MONGODB_URI: field.mongodbUri.optional(),
    /** MongoDB for all services, used where the one above is not set. */
    MONGODB_URI: field.mongodbUri.optional(),
    /** `true` fills an empty collection with sample items. */
    SEED_SAMPLE: field.flag.default(false),
    /** Wrong staff tokens from one address in a minute; a fuzzing run sets it high. */
    STAFF_ATTEMPTS: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a number from 1')
      .transform(Number)
      .default(10),
  })
  .refine((env) => env.NEWS_MONGODB_URI ?? env.MONGODB_URI, { path: ['NEWS_MONGODB_URI'], error: 'is required, or MONGODB_URI' });

/** Reads it; ends the process where it is wrong. `LOG_LEVEL` is read by the log. */
export function newsEnv() {
  const env = readEnv(schema);
  return {
    port: env.NEWS_PORT,
    host: env.HOST,
    mongodbUri: env.NEWS_MONGODB_URI ?? env.MONGODB_URI ?? '',
    seedSample: env.SEED_SAMPLE,
    attemptsPerMinute: env.STAFF_ATTEMPTS,
  };
}
