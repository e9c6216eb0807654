import { expect, it } from 'vitest';
import { z } from 'zod';
import { ContentError, parseContent } from './front-matter.ts';

const schema = z.strictObject({
  title: z.string().min(1, 'must not be empty'),
  facts: z.array(z.strictObject({ label: z.string(), value: z.string() })).default([]),
});

function mistakes(text: string): string[] {
  try {
    parseContent(schema, text, 'page.md');
  } catch (error) {
    if (error instanceof ContentError) return error.message.split('\n');
    throw error;
  }
  return [];
}

it('gives the checked values, the body and the line it starts in', () => {
  expect(parseContent(schema, '---\ntitle: 会社\n---\n# Body\n---\n', 'page.md')).toEqual({
    data: { title: '会社', facts: [] },
    body: '# Body\n---\n',
    bodyLine: 4,
  });
});

it('takes CRLF and a byte order mark', () => {
  expect(parseContent(schema, '\uFEFF---\r\ntitle: a\r\n---\r\nb\r\nc', 'page.md').body).toBe('b\nc');
});

it('tells each mistake with the line of its value', () => {
  expect(
    mistakes(`---
title: 5
facts:
  - label: Founded
    value: '1962'
  - label: Capital
    value: 3
  - value: x
colour: red
---
`),
  ).toEqual([
    'page.md:2: title: must be text; put it in quotation marks',
    'page.md:7: facts[1].value: must be text; put it in quotation marks',
    'page.md:8: facts[2].label: is missing',
    'page.md:9: colour: this key is not known',
  ]);
});

it('tells mistakes in the order of lines, one for each key, in words for those who write', () => {
  const other = z.strictObject({
    title: z
      .string()
      .refine(() => false, 'first')
      .refine(() => false, 'second'),
    category: z.enum(['products', 'company']),
    excerpt: z.string(),
    lede: z.string().min(1),
    list: z.array(z.string()),
  });
  const text = '---\nlist: 5\nlede: ""\nexcerpt:\ncategory: other\ntitle: x\n---\n';
  expect(() => parseContent(other, text, 'a.md')).toThrow(
    new ContentError(
      [
        'a.md:2: list: must be a list',
        'a.md:3: lede: must not be empty',
        'a.md:4: excerpt: is missing',
        'a.md:5: category: must be one of: products, company',
        'a.md:6: title: first',
      ].join('\n'),
    ),
  );
});

it('refuses what was not saved as UTF-8', () => {
  const garbled = (bytes: Buffer) => mistakes(bytes.toString('utf8'));
  expect(garbled(Buffer.from('---\ntitle: a\n---\n\nGr\u00fc\u00dfe', 'latin1'))).toEqual([
    'page.md:5: is not saved as UTF-8: save it again with that encoding',
  ]);
  expect(garbled(Buffer.from('\uFEFF---\ntitle: a\n---\n', 'utf16le'))[0]).toMatch(/^page\.md:1: .*save it again as UTF-8$/);
  expect(mistakes('---\ntitle: a\0b\n---\n')).toEqual(['page.md:2: has a NUL character, which no text has: save it again as UTF-8']);
});

it('points to the nearest parent of what is missing', () => {
  expect(mistakes('---\n\nfacts: []\n---\n')[0]).toBe('page.md:3: title: is missing');
  expect(mistakes('---\n---\n')[0]).toMatch(/^page\.md:2: title: /);
});

it('tells YAML mistakes with their line', () => {
  expect(mistakes('---\ntitle: a\ntitle: b\n---\n')[0]).toBe('page.md:3: front matter: Map keys must be unique');
  expect(mistakes('---\ntitle: Open day: what to see\n---\n')[0]).toMatch(
    /^page\.md:2: front matter: .* \(a text with ": " in it needs quotation marks around it\)$/,
  );
  expect(mistakes('---\ntitle: "a\n---\n')[0]).toMatch(/^page\.md:\d+: front matter: /);
  expect(mistakes('---\ntitle: a\n  b: c\n---\n')[0]).toMatch(/^page\.md:[23]: front matter: /);
});

it('tells a missing start or end', () => {
  expect(mistakes('title: a\n')).toEqual(['page.md:1: front matter: the first line has to be ---']);
  expect(mistakes('---\ntitle: a\n')).toEqual(['page.md:1: front matter: there is no second line --- that ends it']);
});

it('refuses what is no map, and aliases that multiply', () => {
  expect(mistakes('---\n- a\n---\n')[0]).toMatch(/^page\.md:2: front matter: /);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`)
    .join('\n')}`;
  expect(mistakes(`---\n${bomb}\n---\n`)[0]).toMatch(/^page\.md:2: front matter: Excessive alias/);
});
