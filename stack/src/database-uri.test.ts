import { expect, test } from 'vitest';
import { databaseUri } from './database-uri.ts';

test.each([
  ['mongodb://a', 'mongodb://a/news'],
  ['mongodb://a:1,b:2/?replicaSet=rs0', 'mongodb://a:1,b:2/news?replicaSet=rs0'],
  ['mongodb://a/site?replicaSet=rs0', 'mongodb://a/news?replicaSet=rs0'],
  ['mongodb://u:p@a/site', 'mongodb://u:p@a/news?authSource=site'],
  ['mongodb+srv://u:p@a/', 'mongodb+srv://u:p@a/news?authSource=admin'],
  ['mongodb://u:p@a/site?authSource=x', 'mongodb://u:p@a/news?authSource=x'],
])('%s names a database of its own for a service', (uri, expected) => {
  expect(databaseUri(uri, 'news')).toBe(expected);
});
