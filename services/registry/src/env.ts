/** The environment of the registry. */
import type { KeyObject } from 'node:crypto';
import { readRootKey } from '@colonnade/release/keys';
import { field, readEnv } from '@colonnade/service/env';
import { validRange } from 'semver';
import { z } from 'zod';

const whole = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a number from 1')
  .transform(Number);

const rootKey = z.string().transform((text, context): KeyObject => {
  try {
    return readRootKey(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `${(error as Error).message}, or the path of a PEM file` });
    return z.NEVER;
  }
});

const sharedForm = 'must be packages with versions or ranges: react@^19,react-dom@^19';
const shared = z.string().transform((text, context): Record<string, string> => {
  const entries = text.split(',').map((each) => /^(@?[^@]+)@(.+)$/.exec(each.trim())?.slice(1) ?? []);
  if (entries.every(([name, range]) => name !== undefined && validRange(range) !== null)) return Object.fromEntries(entries);
  context.addIssue({ code: 'custom', message: sharedForm });
  return z.NEVER;
});

const schema = z
  .object({
    /** The port of the API and of `/livez`, `/readyz`, `/metrics`. */
    REGISTRY_PORT: field.port.default(3203),
    /** The address to listen on; loopback unless shells are on other machines. */
    HOST: z.string().default('127.0.0.1'),
    /** MongoDB for this service only; the path names the database (default `colonnade_registry`). */
    REGISTRY_MONGODB_URI: field.mongodbUri.optional(),
    /** MongoDB for all services, used where the one above is not set. */
    MONGODB_URI: field.mongodbUri.optional(),
    /** The public half of the operator's root key: base64 of its SPKI DER, or the path of a PEM file. */
    ROOT_KEY: rootKey,
    /** What the shells share with microfrontends: versions, or ranges where shells differ. */
    SHARED: shared.default({ react: '^19', 'react-dom': '^19', '@colonnade/mfe': '^1' }),
    /** What shells prove themselves with. Without it whoever reaches the port may speak for one: for loopback only. */
    SHELL_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
    /** How long shells have for the trial of a release. */
    TRIAL_MS: whole.default(10_000),
    /** How long a canary has to run clean to be promoted by itself, and how long a full activation is watched. */
    GUARD_WINDOW_MS: whole.default(600_000),
    /** Page views without which a canary is not promoted by itself. */
    GUARD_PROMOTE_PAGES: whole.default(200),
    /** Wrong operator tokens from one address in a minute; a fuzzing run sets it high. */
    STAFF_ATTEMPTS: whole.default(10),
  })
  .refine((env) => env.REGISTRY_MONGODB_URI ?? env.MONGODB_URI, { path: ['REGISTRY_MONGODB_URI'], error: 'is required, or MONGODB_URI' });

/** Reads it; ends the process where it is wrong. `LOG_LEVEL` is read by the log. */
export function registryEnv() {
  const env = readEnv(schema);
  return {
    port: env.REGISTRY_PORT,
    host: env.HOST,
    mongodbUri: env.REGISTRY_MONGODB_URI ?? env.MONGODB_URI ?? '',
    rootKey: env.ROOT_KEY,
    shared: env.SHARED,
    shellToken: env.SHELL_TOKEN,
    attemptsPerMinute: env.STAFF_ATTEMPTS,
    trialMs: env.TRIAL_MS,
    guard: { windowMs: env.GUARD_WINDOW_MS, promotePages: env.GUARD_PROMOTE_PAGES },
  };
}
