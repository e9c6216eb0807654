import { createElement } from 'react';
import { expect, test } from 'vitest';
import { Markdown } from './react.tsx';
import type { Tree } from './tree.ts';

/** Element tree as plain data: enough to see what would be rendered, without a renderer. */
function shown(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shown);
  if (typeof node !== 'object' || node === null) return node;
  const { type, props } = node as { type: unknown; props: Record<string, unknown> };
  if (typeof type === 'function') return shown(type(props));
  const { children, ...attributes } = props;
  return [type, attributes, shown(children)];
}
const render = (tree: Tree) => shown(createElement(Markdown, { tree }));

test('links to other sites give them no hold on this one', () => {
  const link = (href: string) => ({ tag: 'a' as const, href, children: ['there'] });
  expect(render([link('https://example.org/'), link('/inquiry')])).toEqual([
    ['a', { href: 'https://example.org/', rel: 'noopener' }, ['there']],
    ['a', { href: '/inquiry', rel: undefined }, ['there']],
  ]);
});

test('a table has headers with a scope, and none in an empty corner', () => {
  expect(JSON.stringify(render([{ tag: 'table', head: [[], ['U']], rows: [[['3 mm'], ['0.3']]] }]))).toBe(
    JSON.stringify([
      [
        'div',
        {},
        [
          'table',
          {},
          [
            [
              'thead',
              {},
              [
                'tr',
                {},
                [
                  ['td', {}, undefined],
                  ['th', { scope: 'col' }, ['U']],
                ],
              ],
            ],
            [
              'tbody',
              {},
              [
                [
                  'tr',
                  {},
                  [
                    ['th', { scope: 'row' }, ['3 mm']],
                    ['td', {}, ['0.3']],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ]),
  );
});
