import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { root } from './parts.ts';

/** Made by a build, an install or a run. */
const derived = /^(node_modules|dist|dist-dev|test-results|\.git|\.data.*)$/;

/**
 * Copies the sources into another folder, for tests that edit or break them. Packages of the workspace are linked to
 * their copies and packages of others to where they are installed: what runs there runs the copy's code only.
 */
export async function copyRepository(to: string): Promise<void> {
  const target = realpathSync(to);
  const modules: string[] = [];
  await cp(root, target, {
    recursive: true,
    filter(source) {
      if (path.basename(source) === 'node_modules') modules.push(path.relative(root, source));
      return source === root || !derived.test(path.basename(source));
    },
  });
  for (const folder of modules) linkPackages(folder, target);
  // Cutting the fonts takes seconds, and no test is about them.
  if (existsSync(path.join(root, 'shell/dist/fonts')))
    await cp(path.join(root, 'shell/dist/fonts'), path.join(target, 'shell/dist/fonts'), { recursive: true });
}

function linkPackages(folder: string, target: string): void {
  mkdirSync(path.join(target, folder), { recursive: true });
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const from = path.join(folder, entry.name);
    if (entry.name.startsWith('@')) linkPackages(from, target);
    else if (entry.name === '.bin') symlinkSync(path.join(root, from), path.join(target, from));
    else if (!entry.name.startsWith('.')) {
      const real = realpathSync(path.join(root, from));
      const own = path.relative(root, real);
      const ours = !own.startsWith('..') && !own.split(path.sep).includes('node_modules');
      symlinkSync(ours ? path.join(target, own) : real, path.join(target, from));
    }
  }
}
