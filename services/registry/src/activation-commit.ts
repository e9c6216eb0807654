/** The two ends of an activation, written in the transaction of whoever came to them. */

import type { State } from '@colonnade/release/api';
import type { ClientSession } from 'mongodb';
import { type Actor, appendAudit } from './audit.ts';
import type { ActivationDocument, Collections } from './collections.ts';
import { changeState } from './site-state.ts';

export interface Ending {
  collections: Collections;
  session: ClientSession;
  before: State;
  activation: ActivationDocument;
  actor: Actor;
}

/** Moves the pointer: to be live, or a canary. @param drop what else of the state ends with it */
export async function commit(ending: Ending, drop: { candidate?: null; canary?: null } = {}): Promise<ActivationDocument> {
  const { collections, session, before, activation, actor } = ending;
  const { _id, name, version, percent, by } = activation;
  const at = new Date();
  const asCanary = version !== null && percent !== null && before.canary?.id !== _id;
  const canary = asCanary ? { id: _id, name, version, percent, by, at: at.toISOString() } : null;
  const change = asCanary
    ? { ...drop, candidate: null, canary }
    : { candidate: null, ...drop, ...liveWith(before, activation, at), activation: _id };
  const sequence = await changeState(collections, session, { before, change });
  const set = asCanary
    ? { state: 'canary' as const, decidedAt: at }
    : { state: 'live' as const, decidedAt: at, liveAt: at, liveSequence: sequence, replaced: before.activation };
  await collections.activations.updateOne({ _id }, { $set: set }, { session });
  await appendAudit(collections, session, { actor, action: set.state, details: { activation: _id, name, version, percent, sequence } });
  return { ...activation, ...set };
}

/** Ends it without a change of what is live: refused before it served, withdrawn after. */
export async function end(
  ending: Ending,
  { state, reasons }: { state: 'refused' | 'withdrawn'; reasons: ActivationDocument['reasons'] },
): Promise<void> {
  const { collections, session, before, activation, actor } = ending;
  const { _id, name, version } = activation;
  const part = state === 'refused' ? { candidate: null } : { canary: null };
  const sequence = await changeState(collections, session, { before, change: part });
  await noteEnd(ending, { state, reasons });
  const details = { activation: _id, name, version, sequence, reason: reasonText(reasons) };
  await appendAudit(collections, session, { actor, action: state, details });
}

/** Notes on the activation alone that it has ended. */
export async function noteEnd(
  { collections, session, activation }: Pick<Ending, 'collections' | 'session' | 'activation'>,
  { state, reasons }: { state: 'refused' | 'withdrawn'; reasons: ActivationDocument['reasons'] },
): Promise<void> {
  const set = { state, decidedAt: new Date(), reasons: [...activation.reasons, ...reasons] };
  await collections.activations.updateOne({ _id: activation._id }, { $set: set }, { session });
}

export function reasonText(reasons: ActivationDocument['reasons']): string {
  return reasons
    .map(({ shell, reason }) => (shell === null ? reason : `${shell}: ${reason}`))
    .join('; ')
    .slice(0, 2000);
}

function liveWith({ live, since }: State, { name, version, by }: ActivationDocument, at: Date): Pick<State, 'live' | 'since'> {
  const { [name]: _version, ...otherLive } = live;
  const { [name]: _since, ...otherSince } = since;
  if (version === null) return { live: otherLive, since: otherSince };
  return { live: { ...otherLive, [name]: version }, since: { ...otherSince, [name]: { at: at.toISOString(), by } } };
}
