/** `create`: a microfrontend of a new team, in a folder of its own outside of this repository, with the kits packed beside it. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed, UsageError } from '../src/command.ts';
import { takenSegments } from '../src/taken.ts';
import { packKits, workspaceRoot } from './pack.ts';

const template = path.join(import.meta.dirname, '../template');
const suffix = '.template';

/** Writes the folder. What is there already is never overwritten. */
export async function create(args: string[]): Promise<void> {
  const options = { dir: { type: 'string' }, kit: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const topic = positionals[0]?.replace(/^mfe-/, '') ?? '';
  // One word of letters is a good path and a good identifier as well.
  if (positionals.length !== 1 || !/^[a-z][a-z0-9]{0,30}$/.test(topic))
    throw new UsageError('Give one word in small letters, which becomes the path of its page: create careers');
  // A page's code is in a file of its name, and the container's on the server is `remote.cjs`.
  if (takenSegments.has(topic) || topic === 'remote') throw new UsageError(`No page can be called ${topic}: the name is taken.`);
  const root = workspaceRoot();
  const dir = path.resolve(values.dir ?? path.join(root ?? '.', '..', `mfe-${topic}`));
  if (root !== undefined && existsSync(path.join(root, `mfe-${topic}`)))
    throw new CommandFailed(`mfe-${topic} is a microfrontend of this repository already. Choose another word.`);
  if (root !== undefined && isWithin(root, dir))
    throw new CommandFailed(`${dir} is in this repository. Choose a folder outside: --dir ../mfe-${topic}`);
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new CommandFailed(`${dir} is there already, and not empty. Choose another: --dir`);
  const kit = values.kit ?? (root === undefined ? 'vendor' : undefined);
  const vendor = path.join(dir, 'vendor');
  if (kit !== undefined) copyKits(path.resolve(kit), vendor);
  else await packKits(root as string, vendor);
  const words = { topic, Topic: topic[0]?.toUpperCase() + topic.slice(1), ...kitFiles(vendor) };
  for (const file of templateFiles())
    write(path.join(dir, file.slice(0, -suffix.length)), readFileSync(path.join(template, file), 'utf8'), words);
  console.log(`${dir} is a microfrontend with one page, /${topic}. Next:\n`);
  console.log(
    `  cd ${path.relative('.', dir) || '.'}\n  git init && npx --yes pnpm@12 install\n  npx --yes pnpm@12 build && npx --yes pnpm@12 test`,
  );
  console.log(`  npx --yes pnpm@12 mfe keys team --mfes mfe-${topic} --team "${words.Topic}"\n\nThe README there goes on from that.`);
}

function templateFiles(): string[] {
  return readdirSync(template, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(suffix));
}

/** Puts the words in: `__topic__`, `__kit-mfe__`. */
function write(file: string, text: string, words: Record<string, string>): void {
  const filled = text.replace(/__([A-Za-z-]+)__/g, (whole, word: string) => words[word] ?? whole);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file.replace('__topic__', words.topic ?? ''), filled);
}

function copyKits(from: string, to: string): void {
  const packed = existsSync(from) ? readdirSync(from).filter((file) => /^colonnade-.*\.tgz$/.test(file)) : [];
  if (packed.length === 0)
    throw new CommandFailed(`${from} has no packed kits (colonnade-….tgz). Name the folder that has: --kit ../mfe-news/vendor`);
  mkdirSync(to, { recursive: true });
  for (const file of packed) copyFileSync(path.join(from, file), path.join(to, file));
}

/** The file of each kit: `{ 'kit-mfe': 'colonnade-mfe-1.1.0.tgz' }`. */
function kitFiles(vendor: string): Record<string, string> {
  return Object.fromEntries(readdirSync(vendor).map((file) => [`kit-${/^colonnade-([a-z]+)-/.exec(file)?.[1]}`, file]));
}

function isWithin(root: string, dir: string): boolean {
  return !path.relative(root, dir).startsWith('..');
}
