import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Buildable, root } from './parts.ts';

const skipped = new Set(['node_modules', 'dist', 'dist-dev', '.data']);
/** What every build is made from besides its own folder. */
const common = ['kit/mfe', 'kit/content', 'services/inquiry/src/schema.ts', 'pnpm-lock.yaml'];

/** Eight hex digits that change when anything a build is made from changes. */
export function inputsHash({ dir }: Buildable): string {
  const hash = createHash('sha256');
  for (const input of [dir, ...common.map((name) => path.join(root, name))]) {
    for (const file of filesOf(input))
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex').slice(0, 8);
}

function filesOf(input: string): string[] {
  if (!existsSync(input)) return [];
  if (statSync(input).isFile()) return [input];
  return readdirSync(input, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesOf(path.join(input, entry.name)));
}
