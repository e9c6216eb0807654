import { expect, test } from 'vitest';
import { culpritOf } from './culprit.ts';

const news = { mfe: 'mfe-news', version: '1.0.0', base: 'file:///data/releases/mfe-news/1.0.0/' };
const pages = { mfe: 'mfe-pages', version: '2.0.0', base: 'file:///data/releases/mfe-pages/2.0.0/' };
const releases = [news, pages];
const shell = 'file:///shell/dist/server/worker.mjs';
const latest = { mfe: 'mfe-news', version: '1.0.0', part: 'mfe-news/latest' };
const home = { mfe: 'mfe-pages', version: '2.0.0', part: '/', requestId: 'request-1', slots: [latest] };

test('a release that runs its own work is named with it, whatever of Node’s or the shell’s it called', () => {
  expect(culpritOf(['node:internal/fs', `${pages.base}server/home.cjs`, shell], home, releases)).toEqual({
    mfe: 'mfe-pages',
    version: '2.0.0',
    part: '/',
    requestId: 'request-1',
  });
});

test('a release that runs in another’s page is named with its slot there, and the request', () => {
  expect(culpritOf([`${news.base}server/slot-latest.cjs`, shell], home, releases)).toEqual({ ...latest, requestId: 'request-1' });
});

test('a release that has no slot in the page is named alone', () => {
  expect(culpritOf([`${news.base}server/mfe.cjs`], { ...home, slots: [] }, releases)).toEqual({
    ...latest,
    part: undefined,
    requestId: 'request-1',
  });
});

test('without a frame of a release it is whom the work belongs to; without both it is nobody', () => {
  expect(culpritOf([shell], home, releases)).toEqual({ mfe: 'mfe-pages', version: '2.0.0', part: '/', requestId: 'request-1' });
  expect(culpritOf([shell], undefined, releases)).toBeUndefined();
});

test('another version or a longer name is another release', () => {
  expect(culpritOf(['file:///data/releases/mfe-news/1.0.0-b/server/mfe.cjs'], undefined, releases)).toBeUndefined();
});

test('a frame names its release also where no work is under way', () => {
  expect(culpritOf([`${news.base}server/mfe.cjs`], undefined, releases)).toMatchObject({ mfe: 'mfe-news', part: undefined });
});
