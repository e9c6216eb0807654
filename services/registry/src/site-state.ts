/** The one document that says what is live. It changes by compare-and-set on its sequence, in a transaction with the reason. */

import type { State } from '@colonnade/release/api';
import type { ClientSession } from 'mongodb';
import type { Collections, StateDocument } from './collections.ts';

/** The state as it is now, or as a transaction sees it. */
export async function readState({ state }: Collections, session?: ClientSession): Promise<State> {
  const document = await state.findOne({ _id: 'state' }, { session });
  if (document === null) throw new Error('the state is missing');
  const { _id, ...rest } = document;
  return rest;
}

/** Replaces what changes of a state, and counts on. @returns its new sequence */
export async function changeState(
  { state }: Collections,
  session: ClientSession,
  { before, change }: { before: State; change: Partial<Omit<StateDocument, '_id' | 'sequence'>> },
): Promise<number> {
  const sequence = before.sequence + 1;
  const result = await state.updateOne({ _id: 'state', sequence: before.sequence }, { $set: { ...change, sequence } }, { session });
  if (result.modifiedCount !== 1) throw new Error('another change came between');
  return sequence;
}
