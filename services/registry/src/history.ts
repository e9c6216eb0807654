import type { Activation } from '@colonnade/release/api';
import type { ClientSession } from 'mongodb';
import type { ActivationDocument, Collections } from './collections.ts';

/** So far back can be gone. */
export const historyLength = 200;

/** What was ever live of one microfrontend, or of all, oldest first. */
export async function historyOf(
  { activations }: Pick<Collections, 'activations'>,
  name: string | undefined,
  session?: ClientSession,
): Promise<ActivationDocument[]> {
  const filter = { liveSequence: { $type: 'int' as const }, ...(name !== undefined && { name }) };
  const newestFirst = await activations.find(filter, { session }).sort({ liveSequence: -1 }).limit(historyLength).toArray();
  return newestFirst.reverse();
}

/** An activation as it is told. */
export function activationAnswer(document: ActivationDocument): Activation {
  const { _id: id, kind, name, version, from, percent, state, reasons, expected, reports, by } = document;
  const times = { at: document.at.toISOString(), decidedAt: document.decidedAt?.toISOString() ?? null };
  return { id, kind, name, version, from, percent, state, reasons, expected, reports, by, ...times };
}
