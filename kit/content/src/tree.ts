/**
 * Markdown as it crosses between server and browser: a JSON tree that `@colonnade/content/react` renders as React
 * elements. It can hold nothing that runs: no HTML, and only the link targets that `safeHref` lets through.
 */
export type Tree = TreeNode[];
export type TreeNode =
  | string
  | { tag: 'p' | 'em' | 'strong' | 'code' | 'blockquote' | 'ul' | 'ol' | 'li' | 'h2' | 'h3' | 'h4'; children: Tree }
  | { tag: 'a'; href: string; children: Tree }
  | { tag: 'img'; src: string; alt: string }
  | { tag: 'pre'; text: string }
  | { tag: 'hr' | 'br' }
  | { tag: 'table'; head: Tree[]; rows: Tree[][] };
