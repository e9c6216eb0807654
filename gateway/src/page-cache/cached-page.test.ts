import { expect, test } from 'vitest';
import { routes } from '../../fixtures/page-cache.ts';
import { cachedPage } from './cached-page.ts';

const set = { id: 'set-1', routes };
const keyOf = (url: string) => cachedPage(url, set)?.key;

test('one page has one key, however its query is written', () => {
  const key = keyOf('/news?category=company&page=2');
  for (const query of [
    'page=2&category=company',
    'category=company&page=2&utm_source=x',
    '_=1&page=2&category=company&page=3&category=press',
    'c%61tegory=comp%61ny&page=2',
    'page=2&category=company&',
  ])
    expect(keyOf(`/news?${query}`), query).toBe(key);
  expect(cachedPage('/news?page=2&utm_source=x&category=company&page=9', set)?.target).toBe('/news?category=company&page=2');
});

test('other pages have other keys', () => {
  const urls = [
    '/',
    '/news',
    '/news?page=',
    '/news?page=2',
    '/news?page=3',
    '/news?category=page',
    '/news/page',
    '/news/a%20b',
    '/news?page=%26category%3Dx',
  ];
  expect(new Set(urls.map(keyOf)).size).toBe(urls.length);
  expect(keyOf('/news?')).toBe(keyOf('/news'));
  expect(keyOf('/?page=2')).toBe(keyOf('/'));
});

test('a page and its data are kept apart; the shell is asked for the data of the set that was named', () => {
  const data = cachedPage('/news?_data=set-1&page=2&x=y', set);
  expect(data?.target).toBe('/news?page=2&_data=set-1');
  expect(data?.key).not.toBe(keyOf('/news?page=2'));
  expect(cachedPage('/news?page=2&_dat%61=set-1', set)).toEqual(data);
  // Another set's data, and what pretends to be: 409 is the shell's to say.
  for (const named of ['set-2', '', 'set-1%00']) expect(cachedPage(`/news?_data=${named}`, set), named).toBeNull();
});

test('a release in which nothing changed for the page keeps its copies; one that changes it does not', () => {
  const swapped = { id: 'set-2', routes: routes.map((route) => (route.path === '/news' ? { ...route, basis: 'other' } : route)) };
  expect(cachedPage('/', swapped)?.key).toBe(keyOf('/'));
  expect(cachedPage('/news', swapped)?.key).not.toBe(keyOf('/news'));
});

test('no copies of routes that want none, of unknown paths, or of what another route claims', () => {
  for (const url of ['/inquiry', '/inquiry?_data=set-1', '/unknown', '/news/a/b', '/news/', '/NEWS', '/news/%ff'])
    expect(cachedPage(url, set), url).toBeNull();
});
