import type { State } from '@colonnade/release/api';
import type { Log } from '@colonnade/service/log';
import type { StateListener } from './state-feed.ts';

/** Writes one line for each thing that changes in the state, whichever instance has changed it. */
export function logChanges(log: Log): StateListener {
  let before: State | undefined;
  return (state) => {
    const known = before;
    before = state;
    if (known === undefined || known.sequence === state.sequence) return;
    const { sequence, live, activation, candidate, canary, keyringVersion } = state;
    if (activation !== known.activation) log.info({ sequence, activation, live }, 'release set live');
    if (candidate !== null && candidate.id !== known.candidate?.id) log.info({ sequence, ...candidate }, 'release on trial');
    if (canary !== null && canary.id !== known.canary?.id) log.info({ sequence, ...canary }, 'canary began');
    const ended = known.candidate ?? known.canary;
    const went = candidate === null && canary?.id !== ended?.id && activation !== ended?.id;
    if (ended !== null && went) log.info({ sequence, activation: ended.id, name: ended.name, version: ended.version }, 'release not taken');
    if (keyringVersion !== known.keyringVersion) log.info({ sequence, keyringVersion }, 'keyring changed');
  };
}
