import { setTimeout as pause } from 'node:timers/promises';
import type { Ending } from '@colonnade/service/ending';
import { isLost } from '@colonnade/service/whole-request';

/** Between tries; long enough for word that a worker was killed, and because of which request, to arrive first. */
const pauseMs = 50;

export interface RetryRules {
  /** A GET or HEAD: sent twice, it does what it does when sent once. */
  repeatable: boolean;
  /** Whether it was this very request that ended the process which was to answer it. */
  wasCulprit(): boolean;
  /** Of it all: the deadline, or the visitor's leaving. */
  ending: Ending;
  retrying(): void;
}

/** The request ended the process that was to answer it: another one would fare no better. */
export class Culprit extends Error {
  override name = 'Culprit';
}

/**
 * Tries again what is safe to: a refused connection until the end, because nothing was sent on it; a
 * connection that broke without an answer once, and only where the request may be repeated.
 * @param attempt rejects where there was no answer; told whether it is the first try
 * @throws what the last attempt threw, the end's reason, or Culprit
 */
export async function withRetries<T>(attempt: (first: boolean) => Promise<T>, rules: RetryRules): Promise<T> {
  const { repeatable, wasCulprit, ending, retrying } = rules;
  for (let first = true, broken = false; ; first = false) {
    try {
      return await attempt(first);
    } catch (error) {
      if (ending.reason) throw ending.reason;
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const refused = code === 'ECONNREFUSED';
      if (!refused && !isLost(error)) throw error;
      await pause(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.reason) throw ending.reason;
      if (refused) {
        retrying();
        continue;
      }
      if (wasCulprit()) throw new Culprit('this request ended the process that was to answer it', { cause: error });
      if (broken || !repeatable) throw error;
      broken = true;
      retrying();
    }
  }
}
