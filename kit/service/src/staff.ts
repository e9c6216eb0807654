/** Who of the company may use a service: a token per person and role, of which only a hash is stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Collection, Db } from 'mongodb';
import { attemptLimit } from './attempt-limit.ts';
import { ensureCollection } from './collection.ts';
import type { Database } from './database.ts';
import { Problem } from './problem.ts';

export const roles = ['editor', 'office', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who asks, as far as an answer or a stored version may tell. */
export interface Staff {
  /** 12 hex digits: names the token, and is no secret. */
  id: string;
  name: string;
  role: Role;
}

/** A token as it is stored: without its secret. */
export interface StaffDocument {
  _id: string;
  name: string;
  role: Role;
  /** SHA-256 of the secret, in hex. A slow hash would add nothing: the secret is 32 random bytes. */
  hash: string;
  createdAt: Date;
  revokedAt: Date | null;
}

declare global {
  namespace Express {
    interface Request {
      /** Who asks. Set by `requireStaff`: there behind it only. */
      staff: Staff;
    }
  }
}

const tokenPattern = /^cst_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;
/** Compared with where no token has the id, so that the time of an answer does not tell which ids exist. */
const noHash = '0'.repeat(64);

const staffOf = (db: Db): Collection<StaffDocument> => db.collection('staff');
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Creates the collection, idempotently: a step of the service's migrations. */
export async function prepareStaff(db: Db): Promise<void> {
  await ensureCollection(db, {
    name: 'staff',
    jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'name', 'role', 'hash', 'createdAt', 'revokedAt'],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'string', pattern: '^[0-9a-f]{12}$' },
        name: { bsonType: 'string', minLength: 1, maxLength: 100 },
        role: { enum: [...roles] },
        hash: { bsonType: 'string', pattern: '^[0-9a-f]{64}$' },
        createdAt: { bsonType: 'date' },
        revokedAt: { bsonType: ['date', 'null'] },
      },
    },
    indexes: [{ key: { name: 1 } }],
  });
}

/** A new token's text: `cst_{id}_{secret}`. */
export function newStaffToken(): string {
  return `cst_${randomBytes(6).toString('hex')}_${randomBytes(32).toString('base64url')}`;
}

/**
 * Gives somebody a token.
 * @param person with `token` to give the same token in several services' databases
 * @returns the token's text, which is stored nowhere: whoever loses it gets a new one
 */
export async function createStaff(db: Db, person: { name: string; role: Role; token?: string }): Promise<string> {
  const { name, role, token = newStaffToken() } = person;
  const [, _id, secret] = tokenPattern.exec(token) ?? [];
  if (_id === undefined || secret === undefined) throw new Error('not the text of a staff token');
  await staffOf(db).insertOne({ _id, name, role, hash: hashOf(secret), createdAt: new Date(), revokedAt: null });
  return token;
}

/** Ends the token with this id, or all tokens of this name, at once. @returns how many had not been revoked before */
export async function revokeStaff(db: Db, idOrName: string): Promise<number> {
  const filter = { $or: [{ _id: idOrName }, { name: idOrName }], revokedAt: null };
  return (await staffOf(db).updateMany(filter, { $set: { revokedAt: new Date() } })).modifiedCount;
}

/** Every token that was ever given, oldest first, without its hash. */
export async function listStaff(db: Db): Promise<Omit<StaffDocument, 'hash'>[]> {
  return await staffOf(db)
    .find({}, { projection: { hash: 0 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray();
}

export interface RequireStaffOptions {
  database: Pick<Database, 'db' | 'within'>;
  /** Names the service in `WWW-Authenticate`. */
  realm: string;
  roles: readonly Role[];
  /** Wrong tokens from one address until they are answered 429. Only a fuzzing run sets another. */
  attemptsPerMinute?: number;
}

/**
 * Lets through whoever has a token of one of these roles, as `req.staff`; asks the database each time, so that a revoked token
 * is refused at once. Use one for all of a service's staff routes: each counts wrong tokens by itself.
 * @throws Problem 401 without a good token, 403 with one of another role, 429 for a wrong one after too many
 */
export function requireStaff({ database, realm, roles: allowed, attemptsPerMinute = 10 }: RequireStaffOptions): RequestHandler {
  const failures = attemptLimit({ max: attemptsPerMinute, windowMs: 60_000 });
  const challenge = (error = '') => ({ 'WWW-Authenticate': `Bearer realm="${realm}"${error}` });
  return async (req, _res, next) => {
    const given = req.get('authorization');
    // A missing token guesses nothing and asks the database for nothing: it is not counted.
    if (given === undefined) throw new Problem(401, 'Unauthorized', { detail: 'Send your token as a bearer token.', headers: challenge() });
    const address = req.socket.remoteAddress ?? '';
    // First: others at the same address, behind one proxy, must not lock out who has a good one.
    const staff = await database.within(verify(database.db, /^bearer +(\S+)$/i.exec(given)?.[1] ?? ''));
    if (staff === null) {
      const waitS = failures.waitS(address);
      const detail = 'Too many wrong tokens came from this address. Please wait.';
      if (waitS > 0) throw new Problem(429, 'Too many requests', { detail, headers: { 'Retry-After': String(waitS) } });
      failures.count(address);
      throw new Problem(401, 'Unauthorized', {
        detail: 'This token is not known or was revoked.',
        headers: challenge(', error="invalid_token"'),
      });
    }
    if (!allowed.includes(staff.role)) {
      const headers = challenge(', error="insufficient_scope"');
      throw new Problem(403, 'Forbidden', { detail: `This needs the role ${allowed.join(' or ')}.`, headers });
    }
    req.staff = staff;
    next();
  };
}

async function verify(db: Db, token: string): Promise<Staff | null> {
  const [, id, secret] = tokenPattern.exec(token) ?? [];
  if (id === undefined || secret === undefined) return null;
  const document = await staffOf(db).findOne({ _id: id });
  const same = timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), Buffer.from(document?.hash ?? noHash, 'hex'));
  if (document === null || !same || document.revokedAt !== null) return null;
  return { id, name: document.name, role: document.role };
}
