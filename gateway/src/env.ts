import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';

const url = (fallback: string) => field.url.transform((value) => value.replace(/\/+$/, '')).default(fallback);

/** Environment of the gateway. */
export const env = readEnv(
  z.object({
    NODE_ENV: z.enum(['production', 'development']).default('production'),
    /** Where the public port listens. Default: every address of the machine. */
    HOST: z.string().default(''),
    PORT: field.port.default(3000),
    /** Where the ops port listens. */
    OPS_HOST: z.string().default('127.0.0.1'),
    OPS_PORT: field.port.default(3001),
    /** The site's public origin: its host is always allowed, its scheme decides about HSTS. Default: `http://localhost:$PORT`. */
    SITE_ORIGIN: field.url.optional(),
    /** Further host names this gateway answers to, separated by commas, without ports: `localhost,127.0.0.1,[::1]`. */
    ALLOWED_HOSTS: z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((host) => host.trim().toLowerCase())
          .filter(Boolean),
      ),
    /** Base URLs of what is behind the gateway. The shell's is its supervisor's, which says where the sets listen. */
    SHELL_URL: url('http://127.0.0.1:3100'),
    NEWS_URL: url('http://127.0.0.1:3201'),
    INQUIRY_URL: url('http://127.0.0.1:3202'),
    /** Total time of a request behind the gateway, in milliseconds. */
    UPSTREAM_DEADLINE_MS: z.coerce.number().int().positive().default(5000),
  }),
);
export type Env = typeof env;
export const siteOrigin = env.SITE_ORIGIN?.replace(/\/+$/, '') ?? `http://localhost:${env.PORT}`;
