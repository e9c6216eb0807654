import { expect, test } from 'vitest';
import { sections } from './sections.ts';

test('a text is divided at its second-level headings', () => {
  const { introduction, parts } = sections([
    { tag: 'p', children: ['Before'] },
    { tag: 'h2', children: ['How long we ', { tag: 'em', children: ['keep'] }, ' it'] },
    { tag: 'p', children: ['Two years'] },
    { tag: 'h3', children: ['Backups'] },
  ]);
  expect(introduction).toEqual([{ tag: 'p', children: ['Before'] }]);
  expect(parts).toEqual([
    {
      id: 'how-long-we-keep-it',
      heading: 'How long we keep it',
      body: [
        { tag: 'p', children: ['Two years'] },
        { tag: 'h3', children: ['Backups'] },
      ],
    },
  ]);
});

test('two sections of the same name have their own addresses', () => {
  const heading = { tag: 'h2' as const, children: ['Contact'] };
  expect(sections([heading, heading]).parts.map(({ id }) => id)).toEqual(['contact', 'contact-2']);
});
