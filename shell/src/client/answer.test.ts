import { expect, test, vi } from 'vitest';
import { fetchAnswer } from './answer.ts';

test('an answer is kept unless it says no-store, alone or beside private as that of a canary or a preview does', async () => {
  const of = async (cacheControl: string) => {
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': cacheControl };
    vi.stubGlobal('fetch', async () => new Response('{"set":"set-1","status":200}', { headers }));
    return (await fetchAnswer(new URL('https://www.nollvik.example/news'), 'set-1', null)).storable;
  };
  expect([await of('no-cache'), await of('private, no-cache')]).toEqual([true, true]);
  expect([await of('no-store'), await of('private, no-store')]).toEqual([false, false]);
});
