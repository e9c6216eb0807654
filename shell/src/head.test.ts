import { expect, test } from 'vitest';
import { documentTitle, headTags } from './head.ts';

const site = { name: 'Nollvik', origin: 'https://www.nollvik.example', language: 'en' };
const meta = { title: 'Company', description: 'Who we are' };
const tag = (tags: ReturnType<typeof headTags>, key: string) =>
  tags.map(([, attributes]) => Object.values(attributes)).find(([name]) => name === key)?.[1];

test('a title bears the site’s name once', () => {
  expect(documentTitle(meta, site)).toBe('Company · Nollvik');
  expect(documentTitle({ ...meta, title: 'Nollvik, makers of gauges' }, site)).toBe('Nollvik, makers of gauges');
});

test('the canonical URL is on the site’s origin and without the query, where the page does not say otherwise', () => {
  const tags = headTags(meta, site, '/company?utm=1');
  expect(tag(tags, 'canonical')).toBe('https://www.nollvik.example/company');
  expect(tag(tags, 'og:url')).toBe('https://www.nollvik.example/company');
  expect(tag(headTags({ ...meta, canonical: '/news?page=2' }, site, '/news?page=2&x'), 'canonical')).toBe(
    'https://www.nollvik.example/news?page=2',
  );
});

test('a page that search engines must not find has no canonical URL', () => {
  const tags = headTags({ ...meta, robots: 'noindex' }, site, '/inquiry');
  expect(tag(tags, 'robots')).toBe('noindex');
  expect(tag(tags, 'canonical')).toBeUndefined();
});

test('pages of a series name their neighbours, articles their date', () => {
  const tags = headTags(
    { ...meta, type: 'article', publishedAt: '2026-01-02T00:00:00Z', previous: '/news', next: '/news?page=3' },
    site,
    '/x',
  );
  expect(tag(tags, 'prev')).toBe('https://www.nollvik.example/news');
  expect(tag(tags, 'next')).toBe('https://www.nollvik.example/news?page=3');
  expect(tag(tags, 'og:type')).toBe('article');
  expect(tag(tags, 'article:published_time')).toBe('2026-01-02T00:00:00Z');
  expect(tag(headTags(meta, site, '/'), 'article:published_time')).toBeUndefined();
});
