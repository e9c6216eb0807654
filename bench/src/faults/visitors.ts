import { type Outcome, openLoop } from './open-loop.ts';

const visitors = 1000;
/** Shares no factor with their number: neighbours in time are strangers, and each comes once in a round. */
const stride = 7;
const perSecond = 50;
const longestMs = 300_000;
/** What a visitor reads, one page a round: three of the five belong to the microfrontend that is released. */
const pages = ['/', '/news', '/company', '/inquiry', '/privacy'];

const visitorOf = (n: number) => (n * stride) % visitors;

export interface Readers {
  /** How many visits there were until now. */
  visits(): number;
  /** Ends it. @returns what became of each visit, in order */
  leave(): Promise<Outcome[]>;
}

/** Lets 1,000 visitors, ten in each bucket, read the site at a steady rate. */
export function readers(origin: string): Readers {
  const leaving = new AbortController();
  const started = performance.now();
  const outcomes = openLoop({
    origin,
    path: (n) => pages[(Math.floor(n / visitors) + visitorOf(n)) % pages.length] as string,
    headers: (n) => ({ Cookie: `colonnade-bucket=${visitorOf(n) % 100}` }),
    perSecond,
    durationMs: longestMs,
    signal: leaving.signal,
  });
  return {
    visits: () => Math.floor(((performance.now() - started) / 1000) * perSecond),
    leave: () => {
      leaving.abort();
      return outcomes;
    },
  };
}
