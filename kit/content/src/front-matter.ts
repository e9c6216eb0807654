/** Content files: YAML front matter between two lines of `---`, then a body. Mistakes are told with file and line. */
import { isAlias, isMap, isNode, isPair, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';

/** A content file has mistakes: all of them, a line each, `file:line: path: message`. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

export interface Content<T> {
  data: T;
  /** What follows the front matter, with LF line ends. */
  body: string;
  /** The line of the file in which the body starts, counted from 1. */
  bodyLine: number;
}

/**
 * Reads one content file.
 * @param file how messages call the file
 * @throws ContentError with every mistake in its message, joined by newlines
 */
export function parseContent<T>(schema: z.ZodType<T>, text: string, file: string): Content<T> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  refuseGarbled(lines, file);
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  if (!/^---\s*$/.test(lines[0] ?? '')) throw new ContentError(`${file}:1: front matter: the first line has to be ---`);
  if (end === -1) throw new ContentError(`${file}:1: front matter: there is no second line --- that ends it`);

  const counter = new LineCounter();
  // Line 1 of the YAML is line 2 of the file.
  const lineAt = (offset: number | undefined) => 1 + (offset === undefined ? 1 : Math.max(1, counter.linePos(offset).line));
  const document = parseDocument(`${lines.slice(1, end).join('\n')}\n`, { lineCounter: counter, prettyErrors: false });
  // Of YAML's own complaints only the first is a mistake; the others follow from it.
  const [syntax] = document.errors;
  if (syntax) {
    const hint = syntax.code === 'BLOCK_AS_IMPLICIT_KEY' ? ' (a text with ": " in it needs quotation marks around it)' : '';
    throw new ContentError(`${file}:${lineAt(syntax.pos[0])}: front matter: ${syntax.message}${hint}`);
  }
  let values: unknown;
  try {
    values = document.toJS() ?? {};
  } catch (error) {
    throw new ContentError(`${file}:2: front matter: ${error instanceof Error ? error.message : String(error)}`);
  }

  const result = schema.safeParse(values, { error: inPlainWords });
  if (!result.success) {
    const mistakes = result.error.issues.flatMap((issue) => {
      const at = (path: readonly PropertyKey[], message: string) => ({
        line: lineAt(offsetOf(document.contents, path)),
        key: pathName(path),
        message,
      });
      // Each unknown key has a line of its own.
      return issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => at([...issue.path, key], 'this key is not known'))
        : [at(issue.path, issue.message)];
    });
    // What else is wrong with a value mostly follows from the first.
    const first = mistakes.filter(({ key }, index) => mistakes.findIndex((other) => other.key === key) === index);
    first.sort((a, b) => a.line - b.line);
    throw new ContentError(first.map(({ line, key, message }) => `${file}:${line}: ${key}: ${message}`).join('\n'));
  }
  return { data: result.data, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

/** What another encoding leaves behind in a text that was read as UTF-8. */
function refuseGarbled(lines: readonly string[], file: string): void {
  const index = lines.findIndex((line) => /[\0\uFFFD]/.test(line));
  if (index === -1) return;
  const why = lines[index]?.includes('\0')
    ? 'has a NUL character, which no text has: save it again as UTF-8'
    : 'is not saved as UTF-8: save it again with that encoding';
  throw new ContentError(`${file}:${index + 1}: ${why}`);
}

const kinds: Record<string, string> = {
  string: 'must be text; put it in quotation marks',
  number: 'must be a number',
  array: 'must be a list',
  object: 'must have keys of its own',
};

/** Zod's own messages for those who write content; a schema's own words are left as they are. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input == null) return 'is missing';
  if (issue.code === 'invalid_type') return kinds[issue.expected];
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
  return undefined;
}

/** Where the value at a path starts (its key, where it has one), or the nearest parent that exists. */
function offsetOf(root: Node | null, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = root;
  let offset = root?.range?.[0];
  for (const step of path) {
    let found: unknown;
    if (isMap(node)) {
      found = node.items.find((pair) => isPair(pair) && isNode(pair.key) && String(pair.key) === String(step));
    } else if (isSeq(node)) found = node.items[Number(step)];
    if (found === undefined) return offset;
    const start = isPair(found) ? found.key : found;
    offset = (isNode(start) ? start.range?.[0] : undefined) ?? offset;
    node = isPair(found) ? found.value : found;
    if (isAlias(node)) return offset;
  }
  return offset;
}

/** `facts[2].label`, as it would be written in code. */
function pathName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'front matter';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`)).join('');
}
