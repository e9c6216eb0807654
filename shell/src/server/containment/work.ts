import { AsyncLocalStorage } from 'node:async_hooks';

/** A release's work that a worker is doing: whom a failure is put down to, however it shows. */
export interface Work {
  mfe: string;
  version: string;
  /** The route's pattern (`/news/:newsId`) or the slot's name (`mfe-news/latest`). None while the release is being loaded. */
  part?: string;
  requestId?: string;
  /** While a page is rendered: the slots in it, which other releases may own. */
  slots?: { mfe: string; version: string; part: string }[];
}

const storage = new AsyncLocalStorage<Work>();

/** Runs a release's code so that whatever comes of it, later too, can be put down to this work. */
export function doing<T>(work: Work, run: () => T): T {
  return storage.run(work, run);
}

/** The work that the running code belongs to. Undefined: it is no release's. */
export function currentWork(): Work | undefined {
  return storage.getStore();
}
