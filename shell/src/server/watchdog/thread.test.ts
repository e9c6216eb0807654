import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/**
 * Grows over its limit while `mfe-grower` runs, and, once that has been said, to its end while `mfe-bystander` does.
 * The limit leaves room for Node itself.
 */
const outgrowing = `
  import { Worker } from 'node:worker_threads';

  const mebibyte = 1024 * 1024;
  const memoryLimitBytes = 256 * mebibyte;
  const kept = [];
  let running = { mfe: 'mfe-grower', version: '1.0.0', part: '/grower' };
  globalThis.__colonnadeWork = () => JSON.stringify(running);

  const beat = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(${JSON.stringify(path.join(import.meta.dirname, 'thread.ts'))}, { workerData: { beat, releases: [], memoryLimitBytes } });
  let target = 1.1 * memoryLimitBytes;
  thread.once('message', (report) => {
    console.log(JSON.stringify(report));
    running = { mfe: 'mfe-bystander', version: '2.0.0', part: '/bystander' };
    target = Infinity;
  });
  setInterval(() => {
    Atomics.add(beat, 0, 1);
    if (process.memoryUsage.rss() < target) kept.push(Buffer.alloc(8 * mebibyte, 1));
  }, 20);
`;

test('who made a process too large is named at its end too, whoever is running then', async () => {
  const child = spawn(process.execPath, ['-e', outgrowing], {
    stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said, lastWords, [, signal]] = await Promise.all([
    text(child.stdio[1] as Readable),
    text(child.stdio[4] as Readable),
    once(child, 'exit'),
  ]);
  const report = { reason: 'memory', mfe: 'mfe-grower', version: '1.0.0', part: '/grower' };
  expect(JSON.parse(said)).toEqual(report);
  expect(JSON.parse(lastWords)).toEqual(report);
  expect(signal).toBe('SIGKILL');
});
