/** What is stored: releases and their bytes, who may sign, what is live, how it came to that, and what was counted. */

import type { AuditEntry, activationKinds, activationStates, State } from '@colonnade/release/api';
import type { Signature, SignedKeyring } from '@colonnade/release/schema';
import { type CollectionShape, ensureCollection } from '@colonnade/service/collection';
import type { Binary, Collection, Db } from 'mongodb';

/** A release exists when its document does. It never changes. */
export interface ReleaseDocument {
  /** `name@version`. */
  _id: string;
  name: string;
  version: string;
  /** The exact bytes of `release.json`, and their SHA-256 in hex. */
  manifest: Binary;
  digest: string;
  signature: Signature;
  team: string;
  /** The paths that its routes claim. */
  paths: string[];
  /** The blobs of its files, and their bytes together. */
  blobs: string[];
  bytes: number;
  publishedAt: Date;
}

/** A release on its way. Its id is what lets somebody send its files: only who had a good signature got it. */
export interface UploadDocument {
  _id: string;
  manifest: Binary;
  signature: Signature;
  expiresAt: Date;
}

/** One file's bytes under their SHA-384 in hex. */
export interface BlobDocument {
  _id: string;
  bytes: Binary;
  size: number;
  /** When a publisher last asked for it: what was touched within the life of an upload may be on its way into a release. */
  touchedAt: Date;
}

export interface KeyringDocument {
  _id: 'keyring';
  version: number;
  signed: SignedKeyring;
}

export type StateDocument = State & { _id: 'state' };

/** One attempt to change what is live. Those that have `liveSequence` are the history. */
export interface ActivationDocument {
  _id: string;
  kind: (typeof activationKinds)[number];
  name: string;
  version: string | null;
  from: string | null;
  percent: number | null;
  state: (typeof activationStates)[number];
  reasons: { shell: string | null; reason: string }[];
  /** Shells that were connected when it began: each has to say yes. */
  expected: string[];
  reports: { shell: string; ok: boolean; tookMs: number }[];
  by: string;
  at: Date;
  decidedAt: Date | null;
  /** The state's sequence and the time with which it went live. */
  liveSequence: number | null;
  liveAt: Date | null;
  /** The activation that had made the live set which this one replaced: what it is compared with. */
  replaced: string | null;
  /** The most addresses that any one shell has had beacons from: one visitor may reach several shells. */
  beacons: number;
}

/** A shell's connection to one of the registry's instances. */
export interface ConnectionDocument {
  _id: string;
  shell: string;
  /** Host and process of the registry's instance: for whoever looks. */
  instance: string;
  seenAt: Date;
}

/** Counts of one set in one stretch of time. */
export interface CountDocument {
  _id: string;
  of: string;
  at: Date;
  pages: number;
  errors: number;
}

export type AuditDocument = Omit<AuditEntry, 'n' | 'at'> & { _id: number; at: Date };
/** The end of the chain. Each entry changes it, so that two at once cannot follow the same one. */
export interface AuditHeadDocument {
  _id: 'audit';
  n: number;
  hash: string;
}

export interface Collections {
  releases: Collection<ReleaseDocument>;
  uploads: Collection<UploadDocument>;
  blobs: Collection<BlobDocument>;
  keyring: Collection<KeyringDocument>;
  state: Collection<StateDocument>;
  activations: Collection<ActivationDocument>;
  connections: Collection<ConnectionDocument>;
  counts: Collection<CountDocument>;
  audit: Collection<AuditDocument>;
  auditHead: Collection<AuditHeadDocument>;
}

export function registryCollections(db: Db): Collections {
  return {
    releases: db.collection('releases'),
    uploads: db.collection('uploads'),
    blobs: db.collection('blobs'),
    keyring: db.collection('keyring'),
    state: db.collection('state'),
    activations: db.collection('activations'),
    connections: db.collection('connections'),
    counts: db.collection('counts'),
    audit: db.collection('audit'),
    auditHead: db.collection('auditHead'),
  };
}

/** Answers how large a blob is without reading it. */
export const sizeIndex = { _id: 1, size: 1 } as const;

const daySeconds = 86_400;
const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const whole = { bsonType: 'int', minimum: 0 };
const object = (properties: Record<string, object>) => ({ bsonType: 'object', required: Object.keys(properties), properties });

const shapes: CollectionShape[] = [
  {
    name: 'releases',
    jsonSchema: object({
      ...{ name: text, version: text, manifest: { bsonType: 'binData' }, digest: text, signature: { bsonType: 'object' }, team: text },
      ...{ paths: { bsonType: 'array' }, blobs: { bsonType: 'array' }, bytes: whole, publishedAt: date },
    }),
    indexes: [{ key: { name: 1, publishedAt: -1 } }, { key: { publishedAt: -1 } }, { key: { blobs: 1 } }],
  },
  {
    name: 'uploads',
    jsonSchema: object({ manifest: { bsonType: 'binData' }, signature: { bsonType: 'object' }, expiresAt: date }),
    indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  },
  {
    name: 'blobs',
    jsonSchema: object({
      _id: { bsonType: 'string', pattern: '^[0-9a-f]{96}$' },
      bytes: { bsonType: 'binData' },
      size: whole,
      touchedAt: date,
    }),
    indexes: [{ key: sizeIndex }, { key: { touchedAt: 1, _id: 1 } }],
  },
  { name: 'keyring', jsonSchema: object({ version: whole, signed: { bsonType: 'object' } }) },
  { name: 'state', jsonSchema: object({ sequence: whole, live: { bsonType: 'object' }, since: { bsonType: 'object' } }) },
  {
    name: 'activations',
    jsonSchema: object({ kind: text, name: text, state: text, reasons: { bsonType: 'array' }, by: text, at: date }),
    indexes: [{ key: { name: 1, liveSequence: -1 } }, { key: { liveSequence: -1 } }],
  },
  {
    name: 'connections',
    jsonSchema: object({ shell: text, instance: text, seenAt: date }),
    indexes: [{ key: { seenAt: 1 }, expireAfterSeconds: daySeconds }],
  },
  {
    name: 'counts',
    jsonSchema: object({ of: text, at: date, pages: whole, errors: whole }),
    indexes: [{ key: { of: 1, at: 1 } }, { key: { at: 1 }, expireAfterSeconds: daySeconds }],
  },
  { name: 'audit', jsonSchema: object({ _id: whole, at: date, actor: { bsonType: 'object' }, action: text, previous: text, hash: text }) },
  { name: 'auditHead', jsonSchema: object({ n: whole, hash: text }) },
];

/** Creates the collections with their validators and indexes. */
export async function createCollections(db: Db): Promise<void> {
  for (const shape of shapes) await ensureCollection(db, shape);
}
