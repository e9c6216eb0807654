import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../kit/service/fixtures/free-port.ts';

test('a gateway that is told to end while it starts ends in order', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      GATEWAY_WORKERS: '2',
      SHELL_URL: nobody,
      NEWS_URL: nobody,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (lines) => {
    log += lines;
  });
  // Its own first word: of its workers there is none yet.
  while (!log.includes('listening')) await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(log).toContain('"msg":"stopped"');
  expect(log).not.toContain('uncaught');
});
