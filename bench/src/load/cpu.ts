import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { processTree } from '../faults/process-tree.ts';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time that these processes and all below them have taken so far, in milliseconds. */
export function cpuMs(pids: readonly number[]): number {
  return pids.flatMap(processTree).reduce((sum, pid) => sum + ownMs(pid), 0);
}

/** Of all threads of a process; of one that has ended meanwhile nothing. */
export function ownMs(pid: number): number {
  try {
    // After the name, which may hold anything: state is the third field, utime and stime are the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}
