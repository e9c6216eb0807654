import type { Context, ServiceAnswer } from '@colonnade/mfe';
import { describe, expect, test } from 'vitest';
import { jsonLd, loader, trial } from './news-item.server.ts';

const site = { name: 'Nollvik', origin: 'https://www.example', language: 'en' };
const item = {
  newsId: 'ring',
  title: 'Rings',
  language: 'en',
  excerpt: 'About rings.',
  category: 'calibration',
  publishedAt: '2026-11-05T08:00:00.000Z',
  updatedAt: '2026-11-06T08:00:00.000Z',
} as const;

function context(reply: ServiceAnswer, asked: string[] = []): Context {
  return {
    services: {
      news: {
        request: async (path) => {
          asked.push(path);
          return reply;
        },
      },
    },
    site,
    requestId: 'test',
  };
}
const load = (newsId: string, reply: ServiceAnswer, asked?: string[]) =>
  loader({ request: new Request('https://www.example/news/x'), params: { newsId }, context: context(reply, asked) });

describe('an item', () => {
  test('comes with its neighbours in time', async () => {
    const older = { newsId: 'a', title: 'A', language: 'en' };
    const newer = { newsId: 'b', title: 'B', language: 'ja' };
    expect(await load('ring', { status: 200, body: { ...item, body: [], previous: older, next: newer } })).toEqual({
      ...item,
      body: [],
      older,
      newer,
    });
  });

  test('an id cannot reach another address of the service', async () => {
    const asked: string[] = [];
    await expect(load('../openapi.json?x=', { status: 404, body: null }, asked)).rejects.toMatchObject({ status: 404 });
    expect(asked).toEqual(['/api/news/..%2Fopenapi.json%3Fx%3D']);
  });

  test('one that was taken off is gone, one with another id has moved', async () => {
    await expect(load('ring', { status: 410, body: null })).rejects.toMatchObject({ status: 410 });
    await expect(load('ring', { status: 301, location: '/api/news/rings', body: null })).rejects.toMatchObject({
      status: 301,
      to: '/news/rings',
    });
    await expect(load('ring', { status: 301, location: '//evil.example', body: null })).rejects.toThrow(TypeError);
  });

  test('the trial names an item that exists', async () => {
    expect(await trial(context({ status: 200, body: { items: [item] } }))).toEqual({ newsId: 'ring' });
  });

  test('tells search engines what the page shows', () => {
    const [article, crumbs] = jsonLd({ data: { ...item, body: [], newer: null, older: null }, site });
    expect(article).toMatchObject({
      '@type': 'NewsArticle',
      headline: 'Rings',
      datePublished: item.publishedAt,
      mainEntityOfPage: 'https://www.example/news/ring',
    });
    expect(crumbs).toMatchObject({
      itemListElement: [{ position: 1, item: 'https://www.example/' }, { position: 2 }, { position: 3, name: 'Rings' }],
    });
  });
});
