import { readFileSync } from 'node:fs';

const pollMs = 500;
/** The package runners between a person's command and this process: npx, the shell it starts, pnpm, the script's shell. */
const runner = /\b(pnpm|npx|npm exec)\b|stack\/src\/main\.ts/;

/**
 * Calls back once when one of the package runners that started this process has gone. npx passes no signal on: whoever
 * ends it would leave pnpm and the whole site running.
 */
export function whenRunnerEnds(callback: () => void): void {
  const chain = runnerChain();
  const timer = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, pollMs);
  timer.unref();
}

/** This process and its ancestors, each whose parent is a package runner with that parent: who started the first of them may go. Linux only. */
function runnerChain(): { pid: number; parent: number | null }[] {
  const chain: { pid: number; parent: number | null }[] = [];
  let pid = process.pid;
  for (let parent = process.ppid; parent > 1 && runner.test(commandOf(parent)); ) {
    chain.push({ pid, parent });
    pid = parent;
    parent = parentOf(parent) ?? 0;
  }
  return chain;
}

function parentOf(pid: number): number | null {
  if (pid === process.pid) return process.ppid;
  return Number(/\nPPid:\t(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) || null;
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
