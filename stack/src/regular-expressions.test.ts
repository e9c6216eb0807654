/** Every regular expression in our source is looked at: none may take more than linear time for a text that a visitor can send. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';
import { root } from './parts.ts';

interface Expression {
  pattern: string;
  flags: string;
}

/** Read once from what the operator or the build wrote, never from a visitor. */
const trusted: Record<string, string> = {
  '/^(mongodb(?:\\+srv)?:\\/\\/[^/?]+)\\/?([^?]*)\\??(.*)$/': 'MONGODB_URI',
  '/\\/+$/': 'a URL of the environment',
  '/^(mailto:\\S+@\\S+|https:\\/\\/\\S+)$/': 'the contact in the site’s content file',
  '/url\\((["\']?)(?!data:|\\/|#|https?:)([^)"\']+)\\1\\)/g': 'a style sheet of a release',
};
/** Files that put an expression together from parts: it is caught when it is made. */
const composed = [
  'kit/content/src/markdown.ts',
  'services/inquiry/src/schema.ts',
  'services/inquiry/src/staff/schema.ts',
  'services/news/src/schema.ts',
  'services/news/src/words.ts',
];
/** Of the flag `v` the checker knows nothing: that set of characters, repeated once, has nothing to go back to. */
const unreadable = /v$/;

it('has no expression that a text could keep busy', async () => {
  const { literals, made } = readSources();
  expect([...new Set(made)].toSorted()).toEqual(composed);
  const found = [...literals, ...(await makeComposed())];
  expect(found.length).toBeGreaterThan(80);
  const slow = new Set<string>();
  for (const each of found) {
    const name = `/${each.pattern}/${each.flags}`;
    if (!(name in trusted) && !unreadable.test(each.flags) && (await verdict(each)) !== 'safe') slow.add(name);
  }
  expect([...slow]).toEqual([]);
}, 180_000);

it('would find one', async () => {
  for (const pattern of ['^(a|a)*$', '\\s+$', '^(\\w+\\s?)*$']) expect(await verdict({ pattern, flags: '' })).toBe('vulnerable');
  expect(literalsOf('const a = <p title={/x+/u.source}>{/* /no/ */ "/no/"}</p>;', 'tsx')).toEqual([{ pattern: 'x+', flags: 'u' }]);
});

/** The checker in JavaScript: its binary and its Java archive are not installed. */
async function verdict({ pattern, flags }: Expression): Promise<string> {
  vi.stubEnv('RECHECK_BACKEND', 'pure');
  const { checkSync } = await import('recheck');
  return checkSync(pattern, flags, { timeout: 60_000 }).status;
}

function readSources(): { literals: Expression[]; made: string[] } {
  const files = globSync('{kit,shell,mfe-*,gateway,services,stack}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|dist-dev|test|fixtures|bench|\.data)$/.test(name),
  }).filter((file) => !/\.test\.tsx?$/.test(file));
  const literals = new Map<string, Expression>();
  const made: string[] = [];
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const each of literalsOf(text, file.endsWith('x') ? 'tsx' : 'ts')) literals.set(`/${each.pattern}/${each.flags}`, each);
    if (/\bRegExp\(/.test(text)) made.push(file);
  }
  return { literals: [...literals.values()], made };
}

function literalsOf(text: string, lang: 'ts' | 'tsx'): Expression[] {
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && node.regex) found.push(node.regex as Expression);
    else for (const part of Object.values(node)) walk(part);
  };
  walk(parseAst(text, { lang }));
  return found;
}

/** What the composing files make when they are loaded. */
async function makeComposed(): Promise<Expression[]> {
  const found: Expression[] = [];
  const Original = RegExp;
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(Original, {
      construct(target, [pattern, flags]: [string | RegExp, string?]) {
        const made = new target(pattern, flags);
        found.push({ pattern: made.source, flags: made.flags });
        return made;
      },
    }),
  );
  try {
    for (const file of composed) await import(path.join(root, file));
  } finally {
    vi.unstubAllGlobals();
  }
  return found;
}
