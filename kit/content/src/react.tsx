import type { ReactNode } from 'react';
import type { Tree, TreeNode } from './tree.ts';

/** Renders Markdown that crossed as a tree. Only elements and text: there is nothing in a tree that could run. */
export function Markdown({ tree }: { tree: Tree }): ReactNode {
  return tree.map(element);
}

/** @param i position among its siblings: a tree never changes once it is shown, so positions are keys */
function element(node: TreeNode, i: number): ReactNode {
  if (typeof node === 'string') return node;
  switch (node.tag) {
    case 'a':
      return <Anchor key={i} href={node.href} tree={node.children} />;
    case 'img':
      return <img key={i} src={node.src} alt={node.alt} loading="lazy" />;
    case 'pre':
      return (
        <pre key={i}>
          <code>{node.text}</code>
        </pre>
      );
    case 'hr':
    case 'br': {
      const Tag = node.tag;
      return <Tag key={i} />;
    }
    case 'table':
      return <Table key={i} head={node.head} rows={node.rows} />;
    default: {
      const Tag = node.tag;
      return (
        <Tag key={i}>
          <Markdown tree={node.children} />
        </Tag>
      );
    }
  }
}

function Anchor({ href, tree }: { href: string; tree: Tree }) {
  return (
    <a href={href} rel={/^https?:/i.test(href) ? 'noopener' : undefined}>
      <Markdown tree={tree} />
    </a>
  );
}

/** In a box of its own, which can scroll where the table is wider than a phone. The first cell of a row says what the row is about. */
function Table({ head, rows }: { head: Tree[]; rows: Tree[][] }) {
  return (
    <div>
      <table>
        <thead>
          <tr>
            {head.map((cell, i) =>
              // A corner without text heads nothing.
              cell.length === 0 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes
                <td key={i} />
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes
                <th key={i} scope="col">
                  <Markdown tree={cell} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes
            <tr key={row}>
              {cells.map((cell, i) =>
                i === 0 && cell.length > 0 ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes
                  <th key={i} scope="row">
                    <Markdown tree={cell} />
                  </th>
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes
                  <td key={i}>
                    <Markdown tree={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
