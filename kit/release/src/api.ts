/** What the registry takes and answers over HTTP. It and its clients (shells, the release tool) import these schemas and their types. */

import * as z from 'zod';
import { signatureSchema, signedReleaseSchema } from './schema.ts';

export const mfeNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be the name of a microfrontend');
export const versionSchema = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,63}$/, 'must be a version');
export const activationIdSchema = z.string().regex(/^[0-9a-f]{12}$/, 'must be the id of an activation');
/** A shell names itself anew with each start of its process. */
export const shellIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the id of a shell');

const time = z.iso.datetime();
const count = z.int().min(0);
const percent = z.int().min(1).max(99);

// Publishing

/** Body of `POST /releases`. */
export const publishSchema = signedReleaseSchema;

/** 201 of `POST /releases`: send each of these files to `PUT /uploads/{upload}/files/{path}`, then `POST /uploads/{upload}/complete`. */
export const uploadSchema = z.object({
  upload: z.string(),
  expiresAt: time,
  /** Files whose bytes the registry does not have yet. */
  missing: z.array(z.object({ path: z.string(), integrity: z.string() })),
});
export type Upload = z.infer<typeof uploadSchema>;

/** 200 of `POST /releases` and of `complete`: this very release is there already. 201 of `complete`: now it is. */
export const publishedSchema = z.object({ name: z.string(), version: z.string(), exists: z.literal(true) });
export type Published = z.infer<typeof publishedSchema>;

// Reading

/** `GET /releases?name=`: newest first, 500 at most. */
export const releaseListSchema = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      publishedAt: time,
      team: z.string(),
      keyId: z.string(),
      files: count,
      bytes: count,
      /** The key that signed it was revoked: it may not be activated. */
      keyRevoked: z.boolean(),
    }),
  ),
});
export type ReleaseList = z.infer<typeof releaseListSchema>;

/** `GET /releases/{name}/{version}`. */
export const releaseAnswerSchema = z.object({ manifest: z.string(), signature: signatureSchema });

// State

const pending = z.object({
  /** Of the activation that it belongs to. */
  id: activationIdSchema,
  name: mfeNameSchema,
  by: z.string(),
  at: time,
});

/**
 * What the shells shall serve: `GET /state`, and the data of each event `state` of `GET /events?shell={id}`. A shell that was away
 * while something was tried verifies and tries it by itself before it serves it.
 */
export const stateSchema = z.object({
  /** Counts up with every change. Two states of one sequence are the same. */
  sequence: count,
  /** The live set: version by microfrontend. */
  live: z.record(mfeNameSchema, versionSchema),
  /** Since when a microfrontend has its live version, and who decided. */
  since: z.record(mfeNameSchema, z.object({ at: time, by: z.string() })),
  /** The activation that made the live set what it is: names the set in counts. Null before the first. */
  activation: activationIdSchema.nullable(),
  /** To be tried by each shell: `live` with this one version replaced, or taken away where `version` is null. */
  candidate: pending.extend({ version: versionSchema.nullable(), percent: percent.nullable() }).nullable(),
  /** Served to so many visitors beside `live`. Its id names its set in counts. */
  canary: pending.extend({ version: versionSchema, percent }).nullable(),
  /** The keyring's version; 0 where there is none yet. */
  keyringVersion: count,
});
export type State = z.infer<typeof stateSchema>;

// Shells

/** Body of `POST /shells/{id}/reports`: how the trial of a candidate went. Sent again where no answer came: one word of each shell counts. */
export const reportSchema = z.object({
  candidate: activationIdSchema,
  ok: z.boolean(),
  /** For whoever activates it: what failed, and on which route. */
  reason: z.string().max(2000).optional(),
  tookMs: count,
});
export type Report = z.infer<typeof reportSchema>;

/**
 * Body of `POST /shells/{id}/counts`: what was counted since the report before, for each set that served pages. A report whose
 * answer is lost is not sent again: a count too few is harmless, one too many is not.
 */
export const countsSchema = z.object({
  counts: z
    .array(
      z
        .object({
          /** `activation` of the state for the live set, `canary.id` for the canary. */
          of: activationIdSchema,
          /** Page views: documents and route data. */
          pages: count.max(10_000_000),
          /** Those of them that ended with 500. Not 503: a service that is away is no fault of a release. */
          errors: count.max(10_000_000),
          /** Distinct addresses that have sent a beacon about this set since it began to serve. */
          beacons: count.max(10_000_000).default(0),
        })
        .refine(({ pages, errors }) => errors <= pages, 'cannot have more errors than pages'),
    )
    .max(8),
});
export type CountsReport = z.input<typeof countsSchema>;

// Activating

/** Body of `POST /activations`. With `percent` as a canary. */
export const activateSchema = z.strictObject({ name: mfeNameSchema, version: versionSchema, percent: percent.optional() });
/** Body of `POST /rollbacks`. With `from` (null: nothing) only while that version is live: it may have been rolled back already. */
export const rollbackSchema = z.strictObject({ name: mfeNameSchema, from: versionSchema.nullable().optional() });
/** Body of `POST /deactivations`. */
export const nameSchema = z.strictObject({ name: mfeNameSchema });
/** Body of `POST /canary/withdraw`. */
export const withdrawSchema = z.strictObject({ reason: z.string().min(1).max(500).optional() });

export const activationKinds = ['activate', 'rollback', 'deactivate'] as const;
/** `trying`: shells try it. `refused`: one did not take it, and nothing has changed. `withdrawn`: it served, and was taken back. */
export const activationStates = ['trying', 'live', 'canary', 'refused', 'withdrawn'] as const;

/** `GET /activations/{id}?wait={seconds}`, which answers as soon as it is no longer `trying`; and 202 or 201 of all that starts one. */
export const activationSchema = z.object({
  id: activationIdSchema,
  kind: z.enum(activationKinds),
  name: z.string(),
  /** Null takes the microfrontend away. */
  version: z.string().nullable(),
  /** What was live before. */
  from: z.string().nullable(),
  percent: z.number().nullable(),
  state: z.enum(activationStates),
  /** Why it was refused or withdrawn. `shell` is null where it was not a shell that decided. */
  reasons: z.array(z.object({ shell: z.string().nullable(), reason: z.string() })),
  /** The shells that try it. */
  expected: z.array(z.string()),
  reports: z.array(z.object({ shell: z.string(), ok: z.boolean(), tookMs: z.number() })),
  by: z.string(),
  at: time,
  decidedAt: time.nullable(),
});
export type Activation = z.infer<typeof activationSchema>;

/** `GET /history?name=`: what was ever live, newest first, 200 at most. */
export const historySchema = z.object({ items: z.array(activationSchema) });

// Audit

export const auditEntrySchema = z.object({
  n: z.int().min(1),
  at: time,
  actor: z.object({ kind: z.enum(['operator', 'key', 'guard', 'registry']), id: z.string(), name: z.string() }),
  action: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** `hash` of the entry before; 64 zeros for the first. */
  previous: z.string().regex(/^[0-9a-f]{64}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
/** `GET /audit?after={n}`: oldest first, 200 at a time. */
export const auditSchema = z.object({ items: z.array(auditEntrySchema) });
