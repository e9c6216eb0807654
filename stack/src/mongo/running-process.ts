/** Processes that an earlier run may have left. A number alone proves nothing: the system gives it to somebody else later. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** When a process began and its command line, or undefined where there is none with this number. */
export async function processOf(pid: number): Promise<{ started: string; command: string } | undefined> {
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  if (process.platform === 'linux') {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may hold anything; state is the first field after it, the start time the 20th.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A dead leader whose other threads are still ending holds its port and its files.
      if (fields[0] === 'Z' && (await readdir(`/proc/${pid}/task`)).length <= 1) return undefined;
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
      return { started: fields[19] ?? '', command };
    } catch {
      return undefined;
    }
  }
  const columns = async (format: string) => (await promisify(execFile)('ps', ['-o', format, '-p', String(pid)])).stdout.trim();
  return await Promise.all([columns('lstart='), columns('command=')]).then(
    ([started, command]) => ({ started, command }),
    () => undefined,
  );
}

/** Asks a process to end and ends it after `graceMs`. Resolves when it is gone. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (const until = Date.now() + waitMs; Date.now() < until; await pause(50)) if ((await processOf(pid)) === undefined) return;
  }
}
