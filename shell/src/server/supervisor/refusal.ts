import type { Log } from '@colonnade/service/log';
import { ReleaseBroken } from '../release-set.ts';

/** What was not brought, as it is told. */
export interface Refusal {
  reason: string;
  at: string;
}

interface RefusalOptions {
  log: Log;
  what: 'release set' | 'canary';
  error: unknown;
  /** What was refused of it last. */
  before: Refusal | undefined;
  /** What serves on. */
  stillLive: string | undefined;
}

/** Logged once, however often it is tried again and fails of the same. */
export function refusal({ log, what, error, before, stillLive }: RefusalOptions): Refusal {
  const reason = (error as Error).message;
  const release = error instanceof ReleaseBroken ? { mfe: error.mfe, version: error.version } : {};
  if (reason !== before?.reason) log.error({ ...release, err: error, stillLive }, `${what} refused`);
  return { reason, at: new Date().toISOString() };
}
