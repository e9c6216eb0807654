/** Who did what: entries are added, in the transaction of what they tell of, and never changed. */

import type { AuditEntry } from '@colonnade/release/api';
import { auditHash } from '@colonnade/release/audit-chain';
import type { ClientSession } from 'mongodb';
import type { AuditDocument, Collections } from './collections.ts';

export type Actor = AuditEntry['actor'];

/** The registry itself, where nobody asked: a trial that nobody answered in time. */
export const registryActor: Actor = { kind: 'registry', id: 'registry', name: 'registry' };
export const guardActor: Actor = { kind: 'guard', id: 'guard', name: 'guard' };

export const auditPage = 200;

/** Adds an entry. Two transactions that add one at once are in each other's way, and one of them is repeated. */
export async function appendAudit(
  { audit, auditHead }: Collections,
  session: ClientSession,
  { actor, action, details }: Pick<AuditEntry, 'actor' | 'action' | 'details'>,
): Promise<void> {
  const head = await auditHead.findOne({ _id: 'audit' }, { session });
  if (head === null) throw new Error('the end of the audit log is missing');
  const at = new Date();
  const n = head.n + 1;
  const entry = { actor, action, details, previous: head.hash };
  const hash = auditHash({ n, at: at.toISOString(), ...entry });
  const moved = await auditHead.updateOne({ _id: 'audit', n: head.n }, { $set: { n, hash } }, { session });
  if (moved.modifiedCount !== 1) throw new Error('another entry came between');
  await audit.insertOne({ _id: n, at, ...entry, hash }, { session });
}

/** Entries after a number, oldest first. */
export async function readAudit({ audit }: Collections, after: number): Promise<AuditEntry[]> {
  const documents = await audit
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(auditPage)
    .toArray();
  return documents.map(({ _id, at, ...rest }: AuditDocument) => ({ n: _id, at: at.toISOString(), ...rest }));
}
