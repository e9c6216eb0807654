/** Markdown (CommonMark and tables, with emphasis beside Japanese brackets) to a tree that can be rendered without trusting who wrote it. */
import type { Image, ImageReference, Link, LinkReference, Nodes, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmTable } from 'micromark-extension-gfm-table';
import { isSitePath, safeHref } from './safe-href.ts';
import type { Tree, TreeNode } from './tree.ts';

/** Elements inside elements; what lies deeper becomes its text. BSON allows 100 levels and a tree takes up to three for each of these. */
const maxDepth = 20;

/** Quote and list markers at the start of one line. 3,000 of them took the parser 2 s. */
const marker = '(?:[ \\t]*(?:>|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])))';
const tooManyMarkers = new RegExp(`^(${marker}{${maxDepth}})${marker}+`, 'gm');

/**
 * Brackets and emphasis; line ends and cells; the starts of HTML that goes on until its end is found, were it the end of the text.
 * The parser's time grows with all of them, and with the square of emphasis and HTML: in the 100,000 characters of a news item,
 * 14,000 lines `[a]: x` took it 1 s, 50,000 times `a*` 46 s and as many times `<?` 20 s. What is let through takes a second at most.
 */
const tooMany = [
  { mark: /\[|[*_]+/g, most: 4000 },
  { mark: /\r\n?|\n|\|/g, most: 12_000 },
  { mark: /<[!?]/g, most: 500 },
];

/** Something of a text that its tree does not show as what it was written for. */
export interface Loss {
  /** Of the text, counted from 1. */
  line: number;
  message: string;
}

/**
 * A line each, as of other mistakes: `file:line: message`.
 * @param bodyLine the line of the file in which the text starts
 */
export const lossesTold = (losses: readonly Loss[], file: string, bodyLine: number): string[] =>
  losses.map(({ line, message }) => `${file}:${bodyLine + line - 1}: ${message}`);

/**
 * The tree of a Markdown text. Never throws: what cannot be parsed, or not in good time, is shown as it was written. `#` and `##` become h2 (the
 * page has its own h1), `###` h3, deeper ones h4; raw HTML becomes literal text; link and image targets pass `safeHref`.
 * @param losses gets what the author may want to know of
 */
export function markdownTree(markdown: string, losses?: Loss[]): Tree {
  if (hasTooManyMarks(markdown)) return asWritten(markdown, losses);
  try {
    const root = fromMarkdown(markdown.replace(tooManyMarkers, '$1'), {
      extensions: [gfmTable(), cjkFriendlyExtension()],
      mdastExtensions: [gfmTableFromMarkdown()],
    });
    const targets = new Map<string, { url: string }>();
    for (const node of walk(root)) if (node.type === 'definition' && !targets.has(node.identifier)) targets.set(node.identifier, node);
    const conversion = new Conversion(targets);
    const tree = conversion.blocks(root.children, 0);
    losses?.push(...conversion.lossesOf(root));
    return tree;
  } catch {
    return asWritten(markdown, losses);
  }
}

function hasTooManyMarks(markdown: string): boolean {
  return tooMany.some(({ mark, most }) => {
    let marks = 0;
    for (const _ of markdown.matchAll(mark)) if (++marks > most) return true;
    return false;
  });
}

function asWritten(markdown: string, losses?: Loss[]): Tree {
  losses?.push({ line: 1, message: 'the text has more Markdown than is read, and is shown as it was written' });
  return markdown.trim() === '' ? [] : [{ tag: 'p', children: [markdown] }];
}

type Targeting = Link | LinkReference | Image | ImageReference;

/** One run over one document, which knows the targets of its reference links. */
class Conversion {
  readonly targets: ReadonlyMap<string, { url: string }>;
  /** The links and images that have become just that. */
  readonly #kept = new Set<Nodes>();

  constructor(targets: ReadonlyMap<string, { url: string }>) {
    this.targets = targets;
  }

  blocks(nodes: readonly RootContent[], depth: number): Tree {
    return nodes.flatMap((node) => this.block(node, depth));
  }

  block(node: RootContent, depth: number): Tree {
    if (depth >= maxDepth) return textOf(node);
    switch (node.type) {
      case 'heading':
        return [{ tag: headings[node.depth - 1] ?? 'h4', children: this.inlines(node.children, depth + 1) }];
      case 'paragraph':
        return [{ tag: 'p', children: this.inlines(node.children, depth + 1) }];
      case 'blockquote':
        return [{ tag: 'blockquote', children: this.blocks(node.children, depth + 1) }];
      case 'list':
        return [
          {
            tag: node.ordered ? 'ol' : 'ul',
            children: node.children.map((item) => ({
              tag: 'li' as const,
              // Items of a tight list hold their text directly, as in HTML made from Markdown anywhere.
              children: item.children.flatMap((child) =>
                child.type === 'paragraph' && !node.spread && !item.spread
                  ? this.inlines(child.children, depth + 2)
                  : this.block(child, depth + 2),
              ),
            })),
          },
        ];
      case 'code':
        return [{ tag: 'pre', text: node.value }];
      case 'html':
        return [{ tag: 'p', children: [node.value] }];
      case 'thematicBreak':
        return [{ tag: 'hr' }];
      case 'table': {
        const [head, ...rows] = node.children.map((row) => row.children.map((cell) => this.inlines(cell.children, depth + 3)));
        return [{ tag: 'table', head: head ?? [], rows }];
      }
      case 'definition':
        return [];
      default:
        return this.inlines([node as PhrasingContent], depth);
    }
  }

  /** `inLink`: a link inside a link would be torn apart by the HTML parser. */
  inlines(nodes: readonly PhrasingContent[], depth: number, inLink = false): Tree {
    return joined(nodes.flatMap((node) => this.inline(node, depth, inLink)));
  }

  inline(node: PhrasingContent, depth: number, inLink: boolean): Tree {
    if (depth >= maxDepth) return textOf(node);
    switch (node.type) {
      case 'text':
      case 'html':
        return [node.value];
      case 'emphasis':
        return [{ tag: 'em', children: this.inlines(node.children, depth + 1, inLink) }];
      case 'strong':
        return [{ tag: 'strong', children: this.inlines(node.children, depth + 1, inLink) }];
      case 'inlineCode':
        return [{ tag: 'code', children: [node.value] }];
      case 'break':
        return [{ tag: 'br' }];
      case 'link':
      case 'linkReference':
        return this.link(node, depth, inLink);
      case 'image':
      case 'imageReference':
        return this.image(node, inLink);
      default:
        return textOf(node);
    }
  }

  link(node: Link | LinkReference, depth: number, inLink: boolean): Tree {
    const href = inLink ? null : safeHref(this.target(node));
    if (href === null) return this.inlines(node.children, depth, inLink);
    this.#kept.add(node);
    return [{ tag: 'a', href, children: this.inlines(node.children, depth + 1, true) }];
  }

  /** Images of this site only: one from elsewhere would tell its host about our visitors, so it becomes a link. */
  image(node: Image | ImageReference, inLink: boolean): Tree {
    const url = this.target(node);
    const alt = node.alt ?? '';
    if (isSitePath(url)) {
      this.#kept.add(node);
      return [{ tag: 'img', src: url, alt }];
    }
    const href = inLink ? null : safeHref(url);
    if (href === null) return alt === '' ? [] : [alt];
    return [{ tag: 'a', href, children: [alt === '' ? href : alt] }];
  }

  target(node: Targeting): string {
    return 'url' in node ? node.url : (this.targets.get(node.identifier)?.url ?? '');
  }

  /** A picture may be written out in its target. */
  quoted(node: Targeting): string {
    const target = this.target(node);
    return JSON.stringify(target.length > 80 ? `${target.slice(0, 79)}…` : target);
  }

  /** What the run has not kept, in the order of the text. */
  *lossesOf(root: Nodes): Generator<Loss> {
    for (const node of walk(root)) {
      if (this.#kept.has(node)) continue;
      const line = node.position?.start.line ?? 1;
      if (node.type === 'link' || node.type === 'linkReference')
        yield { line, message: `the link to ${this.quoted(node)} is shown as plain text` };
      if (node.type === 'image' || node.type === 'imageReference')
        yield { line, message: `the picture ${this.quoted(node)} is not shown as one` };
    }
  }
}

const headings = ['h2', 'h2', 'h3', 'h4', 'h4', 'h4'] as const;

function joined(tree: Tree): Tree {
  const result: TreeNode[] = [];
  for (const node of tree) {
    const last = result.at(-1);
    if (typeof node === 'string' && typeof last === 'string') result[result.length - 1] = last + node;
    else if (node !== '') result.push(node);
  }
  return result;
}

function textOf(node: Nodes): Tree {
  let text = '';
  for (const inner of walk(node)) {
    if ('value' in inner) text += inner.value;
    else if ('alt' in inner && inner.alt) text += inner.alt;
    else if (inner.type === 'break') text += ' ';
  }
  return text === '' ? [] : [text];
}

/** A node and all below it, in the order of the text. Without recursion: the parser nests as deep as its input. */
function* walk(node: Nodes): Generator<Nodes> {
  const rest: Nodes[] = [node];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next;
    if ('children' in next) rest.push(...next.children.toReversed());
  }
}
