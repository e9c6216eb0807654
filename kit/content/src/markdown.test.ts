import { describe, expect, it } from 'vitest';
import { type Loss, markdownTree } from './markdown.ts';
import { safeHref } from './safe-href.ts';
import type { Tree } from './tree.ts';

/** How deep elements lie inside each other. */
function depthOf(tree: Tree): number {
  return Math.max(
    0,
    ...tree.map((node) => {
      if (typeof node === 'string') return 0;
      if ('children' in node) return 1 + depthOf(node.children);
      if (node.tag === 'table') return 1 + Math.max(...[node.head, ...node.rows].flat().map(depthOf));
      return 1;
    }),
  );
}

describe('markdownTree', () => {
  it('shifts headings, because the page has its own h1', () => {
    const tags = markdownTree('# a\n## b\n### c\n#### d\n###### e').map((node) => typeof node === 'object' && node.tag);
    expect(tags).toEqual(['h2', 'h2', 'h3', 'h4', 'h4']);
  });

  it('makes paragraphs, emphasis, code, breaks and rules', () => {
    expect(markdownTree('a *b* **c** `d`  \ne\n\n---\n\n```js\nf\n```')).toEqual([
      {
        tag: 'p',
        children: [
          'a ',
          { tag: 'em', children: ['b'] },
          ' ',
          { tag: 'strong', children: ['c'] },
          ' ',
          { tag: 'code', children: ['d'] },
          { tag: 'br' },
          'e',
        ],
      },
      { tag: 'hr' },
      { tag: 'pre', text: 'f' },
    ]);
  });

  it('keeps the text of tight list items without paragraphs, and paragraphs in loose ones', () => {
    expect(markdownTree('- a\n- b')).toEqual([
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: ['a'] },
          { tag: 'li', children: ['b'] },
        ],
      },
    ]);
    expect(markdownTree('1. a\n\n   b')).toEqual([
      {
        tag: 'ol',
        children: [
          {
            tag: 'li',
            children: [
              { tag: 'p', children: ['a'] },
              { tag: 'p', children: ['b'] },
            ],
          },
        ],
      },
    ]);
  });

  it('finds emphasis that begins or ends beside Japanese brackets and stops, where no space stands', () => {
    for (const text of ['「強調」', '強調（注）', '強調。'])
      expect(markdownTree(`**${text}**された`)).toEqual([{ tag: 'p', children: [{ tag: 'strong', children: [text] }, 'された'] }]);
  });

  it('makes tables with inline content in their cells', () => {
    expect(markdownTree('| a | *b* |\n|---|---|\n| 1 | [x](/y) |')).toEqual([
      {
        tag: 'table',
        head: [['a'], [{ tag: 'em', children: ['b'] }]],
        rows: [[['1'], [{ tag: 'a', href: '/y', children: ['x'] }]]],
      },
    ]);
  });

  it('shows raw HTML as the text it is', () => {
    expect(markdownTree('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b')).toEqual([
      { tag: 'p', children: ['<script>alert(1)</script>'] },
      { tag: 'p', children: ['a <img src=x onerror=alert(1)> b'] },
    ]);
  });

  it('keeps only the text of a link with an unsafe target', () => {
    expect(markdownTree('[a](javascript:alert(1)) [b](//evil.example) [c](/news) [d][r]\n\n[r]: https://x.example/')).toEqual([
      {
        tag: 'p',
        children: ['a b ', { tag: 'a', href: '/news', children: ['c'] }, ' ', { tag: 'a', href: 'https://x.example/', children: ['d'] }],
      },
    ]);
  });

  it('embeds images of this site only', () => {
    expect(markdownTree('![a](/a.png) ![b](https://x.example/b.png) ![c](data:image/png;base64,AA) [![d](//x/d.png)](/e)')).toEqual([
      {
        tag: 'p',
        children: [
          { tag: 'img', src: '/a.png', alt: 'a' },
          ' ',
          { tag: 'a', href: 'https://x.example/b.png', children: ['b'] },
          ' c ',
          { tag: 'a', href: '/e', children: ['d'] },
        ],
      },
    ]);
  });

  it('tells which links and pictures it does not show as such, with their lines', () => {
    const losses: Loss[] = [];
    const told = ['[a](www.x.example) [b][r]', '![c](d.png) [![e](https://x.example/e.png)](/f)', `${'> '.repeat(20)}[g](/h)`];
    const kept = ['[a](/a) <https://x.example> ![b](/b.png) [c][s] [literal]', '[r]: x', '[s]: /s'];
    const [picture] = markdownTree(`${[...told, ...kept].join('\n\n')}\n\n![i](data:${'x'.repeat(1000)})`, losses).slice(-1);
    expect(losses).toEqual([
      { line: 1, message: 'the link to "www.x.example" is shown as plain text' },
      { line: 1, message: 'the link to "x" is shown as plain text' },
      { line: 3, message: 'the picture "d.png" is not shown as one' },
      { line: 3, message: 'the picture "https://x.example/e.png" is not shown as one' },
      { line: 5, message: 'the link to "/h" is shown as plain text' },
      { line: 13, message: expect.stringMatching(/^the picture "data:x{74}…" is not shown as one$/) },
    ]);
    expect(picture).toEqual({ tag: 'p', children: ['i'] });
    losses.length = 0;
    markdownTree('[a](b) '.repeat(4001), losses);
    expect(losses).toEqual([{ line: 1, message: 'the text has more Markdown than is read, and is shown as it was written' }]);
  });

  it('flattens what is nested too deep', () => {
    const deep = [
      `${'>'.repeat(20_000)} end`,
      `${'- '.repeat(10_000)}end`,
      `${'*'.repeat(2000)}end${'*'.repeat(2000)}`,
      Array.from({ length: 100 }, (_, i) => `${'  '.repeat(i)}- end`).join('\n'),
      `${'[a]('.repeat(3000)}end`,
    ];
    for (const text of deep) {
      // Processor time, because a busy machine is no fault of ours. Without the cap on markers the second text took 20 s.
      const started = process.cpuUsage();
      const tree = markdownTree(text);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
      expect(depthOf(tree)).toBeLessThanOrEqual(21);
      expect(JSON.stringify(tree)).toContain('end');
    }
  });

  it('shows as it was written what would take the parser too long', () => {
    for (const part of ['[a]: x\n', '- [a]: x\r\n', 'a\n\n', '[a]', '![a](/b)', '|a', 'a*', '*a ', '*a_', 'a*\r']) {
      const text = part.repeat(100_000 / part.length);
      const started = process.cpuUsage();
      expect(markdownTree(text)).toEqual([{ tag: 'p', children: [text] }]);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(0.5);
      // Control: as much of it as a long article has is read as Markdown.
      expect(markdownTree(`# b\n\n${part.repeat(1000)}`)[0]).toEqual({ tag: 'h2', children: ['b'] });
    }
  });

  it('shows as it was written what has too much HTML without an end', () => {
    for (const part of ['a<?', 'a<!--', 'a<!A', '`<?']) {
      const text = `*b* ${part.repeat(99_000 / part.length)}`;
      expect(markdownTree(text)).toEqual([{ tag: 'p', children: [text] }]);
      // Control: a little of it is read as Markdown.
      expect(JSON.stringify(markdownTree(`*b* ${part.repeat(400)}`))).toContain('{"tag":"em","children":["b"]}');
    }
  });

  it('reads a long price list as a table', () => {
    const [table] = markdownTree(`|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n${'|1|2|3|4|5|6|\n'.repeat(1000)}`);
    expect(table).toMatchObject({ tag: 'table' });
  });

  it('takes odd input without throwing', () => {
    for (const text of ['', '\0', '\uD800', '|', '|-', '[](', '![](<', '&#0;', '\r', '>'.repeat(50), '1.\n2)'])
      expect(() => markdownTree(text)).not.toThrow();
    expect(markdownTree('')).toEqual([]);
  });
});

describe('safeHref', () => {
  it.each([
    'http://a.example/',
    'https://a.example/b?c=d#e',
    'HTTPS://a.example',
    'mailto:a@b.example',
    'tel:+8112345678',
    '/',
    '/news?page=2',
    '#top',
    '/会社',
  ])('lets %j through', (href) => {
    expect(safeHref(href)).toBe(href);
  });
  it.each([
    '',
    'news',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'https:evil',
    'http://',
    'ftp://a.example',
    'blob:x',
  ])('refuses %j', (href) => {
    expect(safeHref(href)).toBeNull();
  });
});
