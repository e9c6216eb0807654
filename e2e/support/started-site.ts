import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Less than a test waits for it: a site that is not ready by then is ended, not left running. */
const startMs = 110_000;

export interface StartedSite {
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a site of its own as `pnpm start` does, and waits until it is ready.
 * @throws with what it said where it ends before, or takes too long
 */
export async function startedSite(o: { root: string; args?: string[]; env: Record<string, string> }): Promise<StartedSite> {
  const child = spawn(process.execPath, ['stack/src/main.ts', ...(o.args ?? [])], {
    cwd: o.root,
    env: { ...process.env, ...o.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const until = performance.now() + startMs;
  while (!output.includes('Colonnade is ready')) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > until) {
      await stop();
      throw new Error(`the site did not start:\n${output}`);
    }
    await pause(50);
  }
  return { pid: child.pid as number, stop };
}
