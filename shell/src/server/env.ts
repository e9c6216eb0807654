import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';
import type { Fence } from './containment/fences.ts';

const schema = z.object({
  NODE_ENV: z.enum(['production', 'development']).default('production'),
  /** The address that supervisor and sets listen on; loopback unless the gateway is on another machine. They check no host and have no flood limit: for the gateway's network only. */
  HOST: z.string().default('127.0.0.1'),
  /** The supervisor's own port; the sets listen on the ports after it. */
  SHELL_PORT: field.shellPort.default(3100),
  /** Holds `releases/{name}/{version}/` and what was live last. */
  DATA_DIR: z.string().default('.data'),
  /** Who says what is live, and has the releases. Without it `release-set.json` in DATA_DIR does, and nothing is signed. */
  REGISTRY_URL: field.url.optional(),
  /** The public half of the operator's root key, pinned: base64 of its SPKI DER, or the path of a PEM file. */
  ROOT_KEY: z.string().optional(),
  /** What this shell proves itself with to the registry, where that asks for it. Workers do not get it. */
  SHELL_TOKEN: z.string().optional(),
  /** Workers of the live set. Default: one for each core. */
  SHELL_WORKERS: z.coerce.number().int().min(1).max(64).optional(),
  /** Given to a worker by its supervisor: which set it serves, and where it listens. On disk may be another by now. */
  WORKER_SET: z.string().optional(),
  WORKER_MFES: z
    .string()
    .default('{}')
    .transform((json) => JSON.parse(json) as Record<string, string>),
  WORKER_PORT: field.port.optional(),
  /** And: which releases of the set it leaves out as they cannot be used, and what must not run for now. */
  WORKER_WITHOUT: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter(Boolean)),
  WORKER_FENCES: z
    .string()
    .default('[]')
    .transform((json) => JSON.parse(json) as Fence[]),
  /** Ends a worker whose code does not come back. `off` to stand still in a debugger. */
  WATCHDOG: z.enum(['on', 'off']).default('on'),
  /** Resident memory from which on a worker is replaced, in mebibytes. Busy with 64 connections it has some 420. */
  WORKER_MEMORY_MB: z.coerce.number().int().min(128).default(768),
  /** Where canonical URLs point to. */
  SITE_ORIGIN: field.origin.transform((url) => url.replace(/\/+$/, '')).default('http://localhost:3000'),
  /** Service base URLs that loaders and actions may call by name: `news=http://127.0.0.1:3201,inquiry=…`. */
  SERVICES: z
    .string()
    .default('news=http://127.0.0.1:3201,inquiry=http://127.0.0.1:3202')
    .transform((list) => Object.fromEntries(list.split(',').map((pair) => pair.split('=', 2) as [string, string])))
    .pipe(z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), field.origin)),
  /** Total time of one call to a service, in milliseconds. */
  SERVICE_DEADLINE_MS: z.coerce.number().int().positive().default(1500),
  /** Time for the loader of a slot, in milliseconds; after it the page shows the slot's fallback. */
  SLOT_DEADLINE_MS: z.coerce.number().int().positive().default(500),
  /** Time for a route's loader or action, in milliseconds. */
  ROUTE_DEADLINE_MS: z.coerce.number().int().positive().default(3000),
  /** How long the set before the live one stays warm for tabs that were opened with it, in milliseconds. */
  PREVIOUS_SET_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(15 * 60_000),
});

/** Environment of the shell: the supervisor and its workers read the same. */
export const env = readEnv(schema);
export type Env = typeof env;

/** What Node, its libraries and `@colonnade/service` read. */
const general =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_.+|LD_.+|DYLD_.+|MALLOC_.+|UV_.+|SYSTEMROOT|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|LOG_LEVEL|LISTEN_.+|SUCCESSOR_FIRST)$/i;

/**
 * Leaves nothing else in the environment, which workers inherit: the code of every team runs there, and whoever started the
 * shell may have had secrets for others. It stops accidents, no hostile code: the system still shows what a process began with.
 */
export function forgetOtherVariables(): void {
  for (const name of Object.keys(process.env)) if (!(name in schema.shape) && !general.test(name)) delete process.env[name];
}
