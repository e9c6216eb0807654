import { expect, test } from 'vitest';
import { sampleNews } from './index.ts';

const items = sampleNews();
const unique = (values: string[]) => new Set(values).size;

test('holds 200 items with unique ids, titles, excerpts, dates and bodies', () => {
  expect(items).toHaveLength(200);
  for (const key of ['newsId', 'title', 'excerpt', 'publishedAt', 'body'] as const)
    expect(unique(items.map((item) => item[key])), key).toBe(200);
});

test('has ids that are dated slugs', () => {
  for (const { newsId, publishedAt } of items) {
    expect(newsId).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(newsId.startsWith(publishedAt.slice(0, 10))).toBe(true);
  }
});

test('runs from 18 November 2026 back to 2009, newest first, on working days', () => {
  const dates = items.map((item) => item.publishedAt);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(dates[0]).toMatch(/^2026-11-18/);
  expect(dates[199]).toMatch(/^2009-/);
  for (const date of dates) expect(new Date(date).getUTCDay() % 6, date).not.toBe(0);
});

test('has the categories and languages of the mock-up', () => {
  const counts = Object.groupBy(items, (item) => item.category);
  expect(Object.entries(counts).map(([name, list]) => `${name} ${list?.length}`)).toEqual(
    expect.arrayContaining(['products 64', 'calibration 41', 'company 73', 'exhibitions 22']),
  );
  expect(items.filter((item) => item.language === 'ja')).toHaveLength(24);
  expect(items.slice(0, 3).map((item) => item.newsId)).toEqual([
    '2026-11-18-calliper-150',
    '2026-11-05-ring-gauges',
    '2026-10-27-keisoku-exhibition',
  ]);
});

test('has excerpts of one sentence or two and bodies of many lengths, nothing left to fill in', () => {
  for (const { excerpt, title, body, newsId } of items) {
    expect(excerpt.length, newsId).toBeLessThanOrEqual(220);
    expect(excerpt.length, newsId).toBeGreaterThan(20);
    expect(body + title + excerpt, newsId).not.toMatch(/undefined|\{\w+\}|NaN/);
    expect(body, newsId).not.toContain('{');
  }
  const lengths = items.map((item) => item.body.length).sort((a, b) => a - b);
  expect(lengths[0]).toBeLessThan(400);
  expect(lengths[199]).toBeGreaterThan(1200);
});

test('is the same on every call', () => {
  expect(sampleNews()).toEqual(items);
});
