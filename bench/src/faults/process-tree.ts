import { readFileSync } from 'node:fs';

/** A process and all below it that are there now. */
export function processTree(pid: number): number[] {
  const children = orNothing(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) ?? '';
  return [pid, ...children.split(' ').flatMap((child) => (child ? processTree(Number(child)) : []))];
}

/** Memory of a process and all below it, in MiB: what they share counts once (PSS). */
export function treeMemoryMb(pid: number): number {
  const pss = (each: number) => /^Pss:\s+(\d+) kB/m.exec(orNothing(() => readFileSync(`/proc/${each}/smaps_rollup`, 'utf8')) ?? '')?.[1];
  return processTree(pid).reduce((sum, each) => sum + Number(pss(each) ?? 0), 0) / 1024;
}

/** A process may end while it is looked at. */
function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
