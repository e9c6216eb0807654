/** The audit log is a chain: each entry holds the hash of the one before, so that none can be changed or taken out unseen. */
import { createHash } from 'node:crypto';
import type { AuditEntry } from './api.ts';

/** What stands before the first entry. */
export const chainStart = '0'.repeat(64);

/** SHA-256 over an entry without its hash, its keys in order. */
export function auditHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { n, at, actor, action, details, previous } = entry;
  const ordered = Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([n, at, actor.kind, actor.id, actor.name, action, ordered, previous]);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The number of the first entry that does not fit, or null where all do.
 * @param entries in order, without a gap
 * @param from hash and number of the entry before the first one
 */
export function brokenLink(entries: readonly AuditEntry[], from: { n: number; hash: string } = { n: 0, hash: chainStart }): number | null {
  let before = from;
  for (const entry of entries) {
    if (entry.n !== before.n + 1 || entry.previous !== before.hash || entry.hash !== auditHash(entry)) return before.n + 1;
    before = entry;
  }
  return null;
}
