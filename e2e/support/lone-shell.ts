import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from './fixture-site.ts';

export const loneShellPort = fixturePorts.PORT + 400;

export interface LoneShell {
  pid: number;
  /** The live set's id. */
  set(): Promise<string>;
  /** A page of the set that it began with. */
  page(path: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts a shell without a gateway, beside the fixtures' site.
 * @param o.dataDir with what the fixtures' shell has on disk, or nothing
 * @param o.registryUrl default: there is no registry anywhere
 */
export async function startLoneShell(o: { dataDir: string; registryUrl?: string }): Promise<LoneShell> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../shell/src/server/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: o.dataDir,
      REGISTRY_URL: o.registryUrl ?? 'http://127.0.0.1:9',
      ROOT_KEY: path.join(fixtureDataDir, 'keys/root.pub.pem'),
      SHELL_TOKEN: readFileSync(path.join(fixtureDataDir, 'keys/shell.token'), 'utf8').trim(),
      SHELL_PORT: String(loneShellPort),
      SHELL_WORKERS: '1',
      SERVICES: `news=http://127.0.0.1:${fixturePorts.NEWS_PORT},inquiry=http://127.0.0.1:${fixturePorts.INQUIRY_PORT}`,
      LOG_LEVEL: 'fatal',
    },
    stdio: 'ignore',
  });
  const ready = () => fetch(`http://127.0.0.1:${loneShellPort}/readyz`, { headers: { Connection: 'close' } });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    await expect.poll(async () => (await ready().catch(() => null))?.status, { timeout: 20_000 }).toBe(200);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid: child.pid as number,
    set: async () => ((await (await ready()).json()) as { set: string }).set,
    page: (at) => fetch(`http://127.0.0.1:${loneShellPort + 1}${at}`, { headers: { Connection: 'close' } }),
    stop,
  };
}
