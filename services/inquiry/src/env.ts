/** The environment of the inquiry service. */
import { field, readEnv } from '@colonnade/service/env';
import { z } from 'zod';

const schema = z
  .object({
    /** The port of the API and of `/livez`, `/readyz`, `/metrics`. */
    INQUIRY_PORT: field.port.default(3202),
    /** The address to listen on; loopback unless the gateway is on another machine. */
    HOST: z.string().default('127.0.0.1'),
    /** MongoDB for this service only; the path names the database (default `colonnade_inquiry`). */
    INQUIRY_MONGODB_URI: field.mongodbUri.optional(),
    /** MongoDB for all services, used where the one above is not set. */
    MONGODB_URI: field.mongodbUri.optional(),
  })
  .refine((env) => env.INQUIRY_MONGODB_URI ?? env.MONGODB_URI, { path: ['INQUIRY_MONGODB_URI'], error: 'is required, or MONGODB_URI' });

/** Reads it; ends the process where it is wrong. `LOG_LEVEL` is read by the log. */
export function inquiryEnv() {
  const env = readEnv(schema);
  return { port: env.INQUIRY_PORT, host: env.HOST, mongodbUri: env.INQUIRY_MONGODB_URI ?? env.MONGODB_URI ?? '' };
}
