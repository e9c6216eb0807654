import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { closedLoop, percentile } from '../faults/open-loop.ts';

const run = promisify(execFile);
/** Its own costs are small beside those of a cached answer; those of a generator in Node are larger than the answer's. */
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const unitMs: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

/** What loads: figures of different generators do not compare. */
export const generator = hasWrk ? 'wrk' : 'a generator in Node, which itself takes most of the time (install wrk)';

export interface Load {
  origin: string;
  path: string;
  encoding: 'br' | 'identity';
  connections: number;
  seconds: number;
}

/** Keeps connections busy. @throws where an answer is not 2xx, or none */
export async function httpLoad(load: Load): Promise<{ perSecond: number; p50Ms: number }> {
  return hasWrk ? withWrk(load) : withNode(load);
}

async function withWrk({ origin, path, encoding, connections, seconds }: Load) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-H', `Accept-Encoding: ${encoding}`, origin + path];
  const { stdout } = await run('wrk', args);
  const failed = /Non-2xx.*|Socket errors.*/.exec(stdout)?.[0];
  if (failed) throw new Error(`${origin}${path}: ${failed}`);
  const [, p50 = '', unit = ''] = /50%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]), p50Ms: Number(p50) * (unitMs[unit] ?? Number.NaN) };
}

async function withNode({ origin, path, encoding, connections, seconds }: Load) {
  const headers = () => ({ 'Accept-Encoding': encoding });
  const { outcomes, goodPerSecond } = await closedLoop({ origin, path: () => path, connections, durationMs: seconds * 1000, headers });
  if (outcomes.some(({ status }) => status !== 200)) throw new Error(`${origin}${path}: not every answer is 200`);
  return {
    perSecond: goodPerSecond,
    p50Ms: percentile(
      outcomes.map(({ ms }) => ms),
      0.5,
    ),
  };
}
