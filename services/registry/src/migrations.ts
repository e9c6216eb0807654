/** The shapes that the registry's data has had, and how each becomes the next. */

import { chainStart } from '@colonnade/release/audit-chain';
import { type Migration, migrate } from '@colonnade/service/migrations';
import { prepareStaff } from '@colonnade/service/staff';
import type { Db, MongoClient } from 'mongodb';
import { createCollections, registryCollections } from './collections.ts';

const steps: Migration[] = [
  { id: '0001-staff', run: prepareStaff },
  { id: '0002-collections', run: createCollections },
  { id: '0003-beginning', run: begin },
];

/** Brings a database of any age, or an empty one, to what this code expects. Several instances may do so at once. */
export async function prepareRegistry(db: Db, client: MongoClient): Promise<void> {
  await migrate(db, client, steps);
}

/** Nothing is live, and nobody has done anything. */
async function begin(db: Db): Promise<void> {
  const { state, auditHead } = registryCollections(db);
  const empty = { sequence: 0, live: {}, since: {}, activation: null, candidate: null, canary: null, keyringVersion: 0 };
  await state.updateOne({ _id: 'state' }, { $setOnInsert: empty }, { upsert: true });
  await auditHead.updateOne({ _id: 'audit' }, { $setOnInsert: { n: 0, hash: chainStart } }, { upsert: true });
}
