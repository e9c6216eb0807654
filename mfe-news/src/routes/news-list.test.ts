import type { Context, ServiceAnswer } from '@colonnade/mfe';
import { describe, expect, test } from 'vitest';
import { loader } from './news-list.server.ts';

const answer = {
  items: [],
  page: 1,
  pages: 3,
  total: 41,
  categories: { products: 64, calibration: 41, company: 73, exhibitions: 22 },
  years: { 2026: 9 },
};

function ask(query: string, reply: ServiceAnswer = { status: 200, body: answer }) {
  const asked: string[] = [];
  const context: Context = {
    services: {
      news: {
        request: async (path) => {
          asked.push(path);
          return reply;
        },
      },
    },
    site: { name: 'Nollvik', origin: 'https://www.example', language: 'en' },
    requestId: 'test',
  };
  return { asked, result: loader({ request: new Request(`https://www.example/news${query}`), params: {}, context }) };
}

describe('the list of news', () => {
  test('asks the service for exactly what the address says', async () => {
    const { asked, result } = ask('?category=calibration&year=2026&page=2&q=ring%20%20gauge');
    expect(await result).toMatchObject({ filter: { category: 'calibration', year: 2026, q: 'ring gauge' }, total: 41 });
    expect(asked).toEqual(['/api/news?page=2&category=calibration&year=2026&q=ring+gauge']);
  });

  test('knows of a search whether it found all', async () => {
    expect((await ask('?q=ring').result).more).toBeUndefined();
    expect((await ask('?q=ring', { status: 200, body: { ...answer, more: true } }).result).more).toBe(true);
  });

  test('shows everything for an empty search', async () => {
    const { asked, result } = ask('?q=+');
    expect((await result).filter.q).toBeUndefined();
    expect(asked).toEqual(['/api/news?page=1']);
  });

  test.each([
    '?page=0',
    '?page=01',
    '?page=x',
    '?page=1e3',
    '?page=-1',
    '?page=1&page=2',
    '?page=4',
    '?category=weather',
    '?category=',
    '?year=26',
    `?q=${'x'.repeat(101)}`,
  ])('%s is no page', async (query) => {
    await expect(ask(query).result).rejects.toMatchObject({ status: 404 });
  });

  describe('where there is nothing', () => {
    const none = { status: 200, body: { ...answer, pages: 0, total: 0 } };

    test.each(['?year=1234', '?year=2026&category=products', '?year=1234&q='])('%s is no page', async (query) => {
      await expect(ask(query, none).result).rejects.toMatchObject({ status: 404 });
    });

    test.each(['', '?category=products', '?q=ring', '?q=ring&year=1234'])('the page /news%s says so', async (query) => {
      expect(await ask(query, none).result).toMatchObject({ items: [], total: 0 });
    });
  });

  test.each([
    [500, 503],
    [429, 503],
    [400, 404],
  ])('a service that answers %i makes the page %i', async (status, expected) => {
    await expect(ask('', { status, body: null }).result).rejects.toMatchObject({ status: expected });
  });

  test('an answer that is not what was agreed is an error, not a page', async () => {
    await expect(ask('', { status: 200, body: { items: 'none' } }).result).rejects.toThrow();
  });
});
