import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { releaseDir, type ShellBuild } from './release-set.ts';

/** Puts the shell's own client files where releases lie, so that those of an older shell outlive a new build as well. */
export function installShellFiles(dataDir: string, shellDir: string, { hash }: ShellBuild): void {
  const to = releaseDir(dataDir, 'shell', hash);
  if (existsSync(path.join(to, 'client'))) return;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  // In development the build writes hot updates beside its files after it was installed.
  if (hash.startsWith('dev')) {
    symlinkSync(path.resolve(shellDir), to);
    return;
  }
  const partial = `${to}.partial-${process.pid}`;
  cpSync(path.join(shellDir, 'client'), path.join(partial, 'client'), { recursive: true });
  renameSync(partial, to);
}
