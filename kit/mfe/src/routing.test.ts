import { expect, test } from 'vitest';
import { compareSpecificity, conflicts, matchPath } from './routing.ts';

test('a parameter is one whole segment, decoded', () => {
  expect(matchPath('/news/:newsId', '/news/a-b')).toEqual({ newsId: 'a-b' });
  expect(matchPath('/news/:newsId', '/news/%E6%97%A5%20x')).toEqual({ newsId: '日 x' });
  expect(matchPath('/news', '/news')).toEqual({});
  expect(matchPath('/', '/')).toEqual({});
});

test('what is more, less, empty, of another case or not UTF-8 does not match', () => {
  for (const path of ['/news', '/news/', '/news/a/b', '/news/a/', '/News/a', '//a', '/news/%ff', '/news/%', 'news/a', '']) {
    expect(matchPath('/news/:newsId', path), path).toBeNull();
  }
});

test('a parameter named as a property of every object stays a parameter', () => {
  expect(Object.keys(matchPath('/:constructor', '/x') ?? {})).toEqual(['constructor']);
});

test('fixed segments come before parameters, from the left', () => {
  const sorted = ['/:a/:b', '/:a/x', '/news/:id', '/news/archive', '/news'].toSorted(compareSpecificity);
  expect(sorted.indexOf('/news/archive')).toBeLessThan(sorted.indexOf('/news/:id'));
  expect(sorted.indexOf('/news/:id')).toBeLessThan(sorted.indexOf('/:a/x'));
  expect(sorted.indexOf('/:a/x')).toBeLessThan(sorted.indexOf('/:a/:b'));
  expect(compareSpecificity('/a', '/a')).toBe(0);
});

test('two patterns conflict when no order between them is right', () => {
  expect(conflicts('/news', '/news')).toBe(true);
  expect(conflicts('/news/:a', '/news/:b')).toBe(true);
  expect(conflicts('/news/:a', '/news/archive')).toBe(false);
  expect(conflicts('/news', '/news/:a')).toBe(false);
  expect(conflicts('/:a/x', '/news/:b')).toBe(false);
});
