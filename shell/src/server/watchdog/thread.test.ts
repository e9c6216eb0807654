import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/**
 * Grows over its limit, and, once it has been said whose doing that is, to its end. The limit leaves room for Node itself.
 * @param running expression: part that is found running, or null, by the number of the look and what has been said
 */
const outgrowing = (running: string) => `
  import { Worker } from 'node:worker_threads';

  const mebibyte = 1024 * 1024;
  const memoryLimitBytes = 256 * mebibyte;
  const kept = [];
  let looks = 0;
  let said = false;
  globalThis.__colonnadeWork = () => {
    const look = looks++;
    const part = ${running};
    return JSON.stringify(part && { mfe: 'mfe-any', version: '1.0.0', part });
  };

  const beat = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(${JSON.stringify(path.join(import.meta.dirname, 'thread.ts'))}, { workerData: { beat, releases: [], memoryLimitBytes } });
  thread.once('message', (report) => {
    console.log(JSON.stringify(report));
    said = true;
  });
  setInterval(() => {
    Atomics.add(beat, 0, 1);
    if (said || process.memoryUsage.rss() < 1.1 * memoryLimitBytes) kept.push(Buffer.alloc(8 * mebibyte, 1));
  }, 20);
`;

const grower = { mfe: 'mfe-any', version: '1.0.0', part: '/grower' };

for (const { what, running, culprit } of [
  { what: 'at its end too, whoever is running then', running: `said ? '/bystander' : '/grower'`, culprit: grower },
  { what: 'though another is running now and then', running: `look % 3 || said ? '/grower' : '/bystander-' + look`, culprit: grower },
  { what: 'by no one that is found now and then', running: `look % 3 ? null : '/bystander'`, culprit: {} },
  { what: 'by no look that finds another each time', running: `'/bystander-' + look`, culprit: {} },
]) {
  test(`who made a process too large is named ${what}`, async () => {
    const child = spawn(process.execPath, ['-e', outgrowing(running)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said, lastWords, [, signal]] = await Promise.all([
      text(child.stdio[1] as Readable),
      text(child.stdio[4] as Readable),
      once(child, 'exit'),
    ]);
    const report = { reason: 'memory', ...culprit };
    expect(JSON.parse(said)).toEqual(report);
    expect(JSON.parse(lastWords)).toEqual(report);
    expect(signal).toBe('SIGKILL');
  });
}
