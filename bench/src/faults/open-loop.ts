import { Agent, type IncomingHttpHeaders, request } from 'node:http';

const tickMs = 5;
/** A request that has no answer by then counts as failed. */
const giveUpMs = 15_000;

/** What became of one request. */
export interface Outcome {
  /** 0: no whole answer. */
  status: number;
  /** From the moment it should have been sent: a generator that falls behind does not flatter the server. */
  ms: number;
  retryAfter: boolean;
  age: boolean;
  /** The release set that answered; null where none did. */
  set: string | null;
}

export interface Load {
  origin: string;
  /** Path of the nth request. */
  path(n: number): string;
  headers?(n: number): Record<string, string>;
  perSecond: number;
  durationMs: number;
  /** Ends it before that. */
  signal?: AbortSignal;
}

/** Sends requests at a fixed rate, whatever becomes of them, through connections of its own. */
export async function openLoop({ origin, path, headers, perSecond, durationMs, signal }: Load): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const started = performance.now();
  const sent: Promise<Outcome>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started;
      const due = (Math.min(elapsed, durationMs) / 1000) * perSecond;
      while (sent.length < due) {
        const n = sent.length;
        sent.push(send(agent, origin + path(n), started + (n / perSecond) * 1000, headers?.(n)));
      }
      if (elapsed < durationMs && !signal?.aborted) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  const outcomes = await Promise.all(sent);
  agent.destroy();
  return outcomes;
}

/** Keeps a number of connections busy. @returns outcomes, and how many a second were 200 */
export async function closedLoop({
  origin,
  path,
  connections,
  headers,
  durationMs,
}: Pick<Load, 'origin' | 'path' | 'headers' | 'durationMs'> & { connections: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const outcomes: Outcome[] = [];
  let n = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - started < durationMs) {
        const nth = n++;
        outcomes.push(await send(agent, origin + path(nth), performance.now(), headers?.(nth)));
      }
    }),
  );
  agent.destroy();
  return { outcomes, goodPerSecond: outcomes.filter(({ status }) => status === 200).length / (durationMs / 1000) };
}

function send(agent: Agent, url: string, intended: number, headers: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (status: number, answered: IncomingHttpHeaders = {}) =>
      resolve({
        status,
        ms: performance.now() - intended,
        retryAfter: 'retry-after' in answered,
        age: 'age' in answered,
        set: String(answered['x-release-set'] ?? '') || null,
      });
    const req = request(url, { agent, headers, timeout: giveUpMs }, (res) => {
      res.on('error', () => end(0));
      res.on('close', () => end(res.complete ? (res.statusCode ?? 0) : 0, res.headers));
      res.resume();
    });
    req.on('timeout', () => req.destroy());
    req.on('error', () => end(0));
    req.end();
  });
}

/** The value below which a share of the numbers lies; NaN of none. */
export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How many there are of each status, the most frequent first. */
export function statuses(outcomes: Outcome[]): string {
  const counts = new Map<number, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([status, count]) => `${status || 'none'} × ${count}`)
    .join(', ');
}
