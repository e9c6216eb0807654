import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Site } from '@colonnade/stack/site';
import { percentile } from '../faults/open-loop.ts';
import { pidOf } from '../faults/site.ts';
import { printTable } from '../table.ts';
import { cpuMs } from './cpu.ts';
import { generator, httpLoad } from './http-load.ts';

const target = 0.4;
const rounds = 5;
const seconds = 4;
const page = '/news';
/** More than a copy needs to be packed as well as it can be. */
const warmRequests = 40;
const warmMs = 3000;

/**
 * A page from the gateway's copies beside one process of bare `node:http` that sends the same bytes and fields from memory, in turns:
 * one worker of the gateway, so one process against one.
 * @returns whether the gateway serves at least 0.4 times as many
 */
export async function cached(site: Site): Promise<boolean> {
  const { origin } = site;
  const gateway = { origin, pid: pidOf(site, 'site') };
  console.log(`  generator: ${generator}`);
  const rows: string[][] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (const encoding of ['identity', 'br'] as const) {
    const copy = await readyCopy(origin, encoding);
    const bare = await bareServer(copy);
    try {
      for (const connections of [32, 1]) {
        const [ours, theirs] = await compared([gateway, bare], { path: page, encoding, connections, seconds });
        const ratio = (ours?.perSecond ?? 0) / (theirs?.perSecond ?? Number.NaN);
        worst = Math.min(worst, ratio);
        rows.push([
          `${encoding === 'br' ? 'br' : 'plain'}, ${copy.body.length} bytes, ${connections} connection${connections > 1 ? 's' : ''}`,
          ...[ours, theirs].map((one) => `${one?.perSecond.toFixed(0)}/s, ${one?.p50Ms.toFixed(2)} ms, ${one?.cpuMs.toFixed(3)} ms`),
          `${ratio.toFixed(2)}×`,
          `${((theirs?.cpuMs ?? Number.NaN) / (ours?.cpuMs ?? Number.NaN)).toFixed(2)}×`,
        ]);
      }
    } finally {
      bare.stop();
    }
  }
  printTable([`${page}: requests, p50, CPU each`, 'gateway', 'bare node:http', `ratio (≥ ${target})`, 'by CPU'], rows);
  return worst >= target;
}

interface Process {
  origin: string;
  pid: number;
}

async function compared(processes: Process[], load: Omit<Parameters<typeof httpLoad>[0], 'origin'>) {
  const all = processes.map(() => [] as { perSecond: number; p50Ms: number; cpuMs: number }[]);
  // The first round is for the compilers.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const i of order) {
      const { origin, pid } = processes[i] as Process;
      const before = cpuMs([pid]);
      const measured = await httpLoad({ ...load, origin });
      const each = (cpuMs([pid]) - before) / (measured.perSecond * load.seconds);
      if (round > 0) all[i]?.push({ ...measured, cpuMs: each });
    }
  }
  const median = (values: number[]) => percentile(values, 0.5);
  return all.map((times) => ({
    perSecond: median(times.map(({ perSecond }) => perSecond)),
    p50Ms: median(times.map(({ p50Ms }) => p50Ms)),
    cpuMs: median(times.map(({ cpuMs }) => cpuMs)),
  }));
}

interface Answer {
  headers: Record<string, string>;
  body: Buffer;
}

async function readyCopy(origin: string, encoding: string): Promise<Answer> {
  for (let i = 0; i < warmRequests; i++) await get(origin, encoding);
  // The best packing is made behind the visitors' backs.
  await new Promise((resolve) => setTimeout(resolve, warmMs));
  const answer = await get(origin, encoding);
  if (!answer.headers['cache-status']?.includes('hit')) throw new Error(`${page} is no hit: ${answer.headers['cache-status']}`);
  return answer;
}

function get(origin: string, encoding: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(origin + page, { headers: { 'Accept-Encoding': encoding }, agent: false })
      .on('error', reject)
      .on('response', (answer) => {
        const hop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);
        const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !hop.has(name))) as Record<string, string>;
        buffer(answer).then((body) => resolve({ headers, body }), reject);
      })
      .end();
  });
}

async function bareServer({ headers, body }: Answer): Promise<Process & { stop(): void }> {
  const child = fork(path.join(import.meta.dirname, 'bare-server.ts'), { execArgv: [] });
  child.send({ headers, body: body.toString('base64') });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid as number, stop: () => void child.kill('SIGKILL') };
}
