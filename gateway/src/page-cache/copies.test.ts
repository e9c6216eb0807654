import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { page } from '../../fixtures/page-cache.ts';
import type { Body } from './body.ts';
import { Copies, copyOf } from './copies.ts';

const best = vi.hoisted(() => ({ now: 0, mostAtOnce: 0 }));
vi.mock('./encoding.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('./encoding.ts')>();
  const pack: typeof real.pack = async (encoding, body, how) => {
    if (how === 'best') best.mostAtOnce = Math.max(best.mostAtOnce, ++best.now);
    return real.pack(encoding, body, how).finally(() => how === 'best' && best.now--);
  };
  return { ...real, pack };
});

const lifetime = { freshMs: 1000, staleMs: 2000 };
/** Not the same words again and again: those pack to nothing. */
const text = (bytes: number) =>
  Array.from({ length: bytes }, (_, i) => ((i * i * 7919) % 10_007) % 100)
    .join(' gauge ')
    .slice(0, bytes);
const make = (copies: Copies, key: string, { bytes = 10_000, askedAt = 0, tags = 'news' } = {}) =>
  copyOf({ key, target: '/', ...lifetime }, page(text(bytes), { 'x-colonnade-tags': tags }), { askedAt, feeds: [], copies });

describe('copies', () => {
  test('are bounded in bytes: those that nobody asked for the longest go first', () => {
    const copies = new Copies(60_000);
    for (const key of ['a', 'b', 'c', 'd']) copies.put(make(copies, key));
    expect(copies.size).toBe(4);
    copies.get('a');
    copies.put(make(copies, 'e'));
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => copies.get(key))).toEqual(['a', 'c', 'd', 'e']);
    // All of them were asked for again now; the longest unused goes all the same.
    copies.put(make(copies, 'f'));
    expect(['a', 'c', 'd', 'e', 'f'].filter((key) => copies.get(key))).toEqual(['c', 'd', 'e', 'f']);
    expect(copies.bytes).toBeLessThanOrEqual(60_000);
    // One page larger than its share does not sweep out the others.
    copies.put(make(copies, 'huge', { bytes: 30_000 }));
    expect([copies.get('huge'), copies.size]).toEqual([undefined, 4]);
  });

  test('that are asked for again outlive thousands that somebody makes up, and change places with time', () => {
    const copies = new Copies(120_000);
    for (const key of ['home', 'news']) {
      copies.put(make(copies, key));
      copies.get(key);
    }
    copies.put(make(copies, 'news', { askedAt: 1 }));
    for (let i = 0; i < 2000; i++) copies.put(make(copies, `made-up-${i}`));
    expect([copies.get('home')?.key, copies.get('news')?.askedAt, copies.get('made-up-0')]).toEqual(['home', 1, undefined]);
    expect(copies.bytes).toBeLessThanOrEqual(120_000);
    expect(copies.bytes).toBeGreaterThan(100_000);
    // What others ask for again takes their place in the end.
    for (let i = 0; i < 20; i++) {
      copies.put(make(copies, `new-${i}`));
      copies.get(`new-${i}`);
    }
    expect([copies.get('home'), copies.get('new-19')?.key]).toEqual([undefined, 'new-19']);
    for (let i = 0; i < 2000; i++) for (const name of ['made-up', 'new']) copies.remove({ key: `${name}-${i}`, askedAt: 9 });
    expect([copies.size, copies.bytes]).toEqual([0, 0]);
  });

  test('are counted with their packed variants, and not once they are gone', async () => {
    const copies = new Copies(1_000_000);
    const copy = make(copies, 'a');
    copies.put(copy);
    const plain = copies.bytes;
    const [br, gzip] = await Promise.all([copy.answer.body.in('br'), copy.answer.body.in('gzip')]);
    expect(copies.bytes).toBe(plain + br.length + gzip.length);
    const better = await bestOf(copy.answer.body);
    expect(copies.bytes).toBe(plain + better.length + gzip.length);
    copies.remove(copy);
    expect([copies.bytes, copies.size]).toEqual([0, 0]);
    copies.resized(copy);
    expect(copies.bytes).toBe(0);
  });

  test('are not replaced or removed by what was asked for earlier', () => {
    const copies = new Copies(1_000_000);
    const newer = make(copies, 'a', { askedAt: 2 });
    copies.put(newer);
    copies.put(make(copies, 'a', { askedAt: 1 }));
    copies.remove({ key: 'a', askedAt: 1 });
    expect(copies.get('a')).toBe(newer);
    copies.remove({ key: 'a', askedAt: 3 });
    expect(copies.get('a')).toBeUndefined();
  });

  test('that a change touches are marked, and are gone where it took something back', () => {
    const copies = new Copies(1_000_000);
    for (const [key, tags] of [
      ['item', 'news news:a'],
      ['list', 'news'],
      ['company', 'pages'],
    ] as const)
      copies.put(make(copies, key, { tags }));
    const covers = (tags: string[]) => tags.includes('news');
    copies.purge({ covers, withdrawn: false });
    expect(['item', 'list', 'company'].map((key) => copies.get(key)?.marked)).toEqual([true, true, false]);
    copies.purge({ covers, withdrawn: true });
    expect(['item', 'list', 'company'].map((key) => copies.get(key)?.marked)).toEqual([undefined, undefined, false]);
  });
});

/** The variant that a body has when it was often asked for. */
async function bestOf(body: Body): Promise<Buffer> {
  const first = await body.in('br');
  for (let i = 0; i < 10; i++) body.in('br');
  await expect.poll(() => body.in('br')).not.toBe(first);
  return body.in('br');
}

test('a packed body is the same body, made once; one that is often asked for is packed better', async () => {
  const copies = new Copies(1_000_000);
  const { body } = make(copies, 'a', { bytes: 50_000 }).answer;
  const [br, same, gzip] = await Promise.all([body.in('br'), body.in('br'), body.in('gzip')]);
  expect(same).toBe(br);
  const better = await bestOf(body);
  expect(better.length).toBeLessThan(br.length);
  expect([gunzipSync(gzip), brotliDecompressSync(br), brotliDecompressSync(better)].every((bytes) => bytes.equals(body.identity))).toBe(
    true,
  );
});

test('one body at a time is packed better', async () => {
  const copies = new Copies(10_000_000);
  const bodies = ['a', 'b', 'c'].map((key) => make(copies, key, { bytes: 50_000 }).answer.body);
  const firsts = await Promise.all(bodies.map((body) => body.in('br')));
  const isBetter = () => bodies.map((body, i) => body.in('br') !== firsts[i]);
  for (let i = 0; i < 10; i++) isBetter();
  await expect.poll(isBetter).toEqual([true, true, true]);
  expect(best.mostAtOnce).toBe(1);
});
