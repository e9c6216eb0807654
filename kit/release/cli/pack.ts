/**
 * Packs the kits for microfrontends outside of this repository. Node runs no TypeScript below `node_modules`, so a packed kit is
 * JavaScript with declarations, at the same paths: what its package.json says of `.ts` files is said of `.js` files.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { CommandFailed } from '../src/command.ts';

const run = promisify(execFile);

/** What a microfrontend needs of this repository, and what these need of each other. */
const kits = ['content', 'mfe', 'release'] as const;

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  files: z.array(z.string()),
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  bin: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Package = z.infer<typeof packageSchema>;

/** The repository that this tool lies in; undefined where it was installed as a package. */
export function workspaceRoot(): string | undefined {
  const root = path.join(import.meta.dirname, '../../..');
  return existsSync(path.join(root, 'pnpm-workspace.yaml')) && kits.every((kit) => existsSync(path.join(root, 'kit', kit)))
    ? root
    : undefined;
}

/** Packs every kit into a folder, as `{name}-{version}.tgz`. @throws CommandFailed where a kit does not compile */
export async function packKits(root: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const stage = mkdtempSync(path.join(tmpdir(), 'colonnade-pack-'));
  try {
    await Promise.all(kits.map((kit) => pack({ root, dir: path.join(root, 'kit', kit), stage: path.join(stage, kit), into })));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function pack({ root, dir, stage, into }: Record<'root' | 'dir' | 'stage' | 'into', string>): Promise<void> {
  const described = packageSchema.parse(JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')));
  // npm and pnpm look for the package below this name in a tarball.
  const out = path.join(stage, 'package');
  mkdirSync(out, { recursive: true });
  await compile({ root, dir, stage, out, folders: described.files });
  for (const folder of described.files) copyOthers(path.join(dir, folder), path.join(out, folder));
  writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(packed(described, root), null, 2)}\n`);
  await run('tar', ['-czf', path.join(into, tarball(described)), '-C', stage, 'package']);
}

async function compile({ root, dir, stage, out, folders }: { root: string; dir: string; stage: string; out: string; folders: string[] }) {
  const project = path.join(stage, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, outDir: out, rootDir: dir, declaration: true, rewriteRelativeImportExtensions: true },
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const include = folders.map((folder) => path.join(dir, folder, '**/*.ts')).flatMap((glob) => [glob, `${glob}x`]);
  const exclude = [path.join(dir, '**/*.test.ts'), path.join(dir, '**/*.test.tsx')];
  writeFileSync(project, JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include, exclude }));
  await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project]).catch((error: { stdout?: string }) => {
    throw new CommandFailed(`${dir} does not compile:\n${error.stdout}`);
  });
  for (const file of filesOf(out)) {
    const text = readFileSync(file, 'utf8');
    // Files that are named by their path are renamed like those that are imported, which the compiler has done.
    const renamed = text.replace(/(import\.meta\.dirname, '[\w./-]+)\.tsx?'/g, "$1.js'");
    if (file.endsWith('.js') && renamed !== text) writeFileSync(file, renamed);
  }
}

/** What is no source: scripts in JavaScript, declarations, templates. */
function copyOthers(from: string, to: string): void {
  for (const file of filesOf(from)) {
    if (/(?<!\.d)\.tsx?$/.test(file)) continue;
    cpSync(file, path.join(to, path.relative(from, file)));
  }
}

function packed({ devDependencies: _, private: __, files: ___, ...described }: Package, root: string): object {
  const script = (file: string) => file.replace(/(?<!\.d)\.tsx?$/, '.js');
  const exported = (target: Package['exports'][string]) =>
    typeof target === 'string' && script(target) !== target
      ? { types: target.replace(/\.tsx?$/, '.d.ts'), default: script(target) }
      : target;
  const entries = <T, U>(record: Record<string, T>, to: (value: T, key: string) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));
  return {
    ...described,
    exports: entries(described.exports, exported),
    ...(described.bin && { bin: entries(described.bin, script) }),
    dependencies: entries(described.dependencies, (version, name) => (version.startsWith('workspace:') ? kitVersion(root, name) : version)),
  };
}

function kitVersion(root: string, name: string): string {
  return packageSchema.parse(JSON.parse(readFileSync(path.join(root, 'kit', path.basename(name), 'package.json'), 'utf8'))).version;
}

/** `@colonnade/mfe` → `colonnade-mfe-1.1.0.tgz`. */
function tarball({ name, version }: Package): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
