/** What builds and services do with content. Nothing here belongs into a browser: see `./tree` and `./react`. */
export { type Content, ContentError, parseContent } from './front-matter.ts';
export { type Loss, lossesTold, markdownTree } from './markdown.ts';
export { isSitePath, safeHref } from './safe-href.ts';
export type { Tree, TreeNode } from './tree.ts';
