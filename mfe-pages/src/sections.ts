import type { Tree } from '@colonnade/content/tree';

export interface Section {
  /** For links to this section: `how-long-we-keep-it`. */
  id: string;
  heading: string;
  body: Tree;
}

/** Divides a text at its `##` headings. What comes before the first is the introduction. */
export function sections(tree: Tree): { introduction: Tree; parts: Section[] } {
  const introduction: Tree = [];
  const parts: Section[] = [];
  for (const node of tree) {
    if (typeof node !== 'string' && node.tag === 'h2') {
      const heading = textOf(node.children);
      parts.push({ id: uniqueId(heading, parts), heading, body: [] });
    } else (parts.at(-1)?.body ?? introduction).push(node);
  }
  return { introduction, parts };
}

function textOf(tree: Tree): string {
  return tree.map((node) => (typeof node === 'string' ? node : 'children' in node ? textOf(node.children) : '')).join('');
}

function uniqueId(heading: string, parts: Section[]): string {
  const words = heading
    .toLowerCase()
    .replace(/[’']/g, '')
    .match(/[\p{L}\p{N}]+/gu);
  const id = words?.join('-') ?? 'section';
  return parts.some((part) => part.id === id) ? `${id}-${parts.length + 1}` : id;
}
