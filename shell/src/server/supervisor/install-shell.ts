import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { releaseDir, type ShellBuild } from '../release-set.ts';

/**
 * Puts the shell's own client files where releases lie, so that those of an older shell outlive a new build as well. What two
 * builds have in common is there once: a file's folder is named after its content.
 */
export function installShellFiles(dataDir: string, shellDir: string, { hash, files }: ShellBuild): void {
  for (const folder of new Set(Object.keys(files).map((file) => path.dirname(file)))) {
    const from = path.join(shellDir, 'client', folder);
    const to = releaseDir(dataDir, 'shell', folder);
    if (existsSync(path.join(to, 'client'))) continue;
    rmSync(to, { recursive: true, force: true });
    // Files of development are large, and there are new ones after each change.
    if (hash.startsWith('dev')) {
      mkdirSync(to, { recursive: true });
      symlinkSync(path.resolve(from), path.join(to, 'client'));
    } else {
      const partial = `${to}.partial-${process.pid}`;
      cpSync(from, path.join(partial, 'client'), { recursive: true });
      renameSync(partial, to);
    }
  }
}
