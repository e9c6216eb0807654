import { describe, expect, test } from 'vitest';
import { isoDate, longDate, shortDate } from './dates.ts';
import { grouped, pageWindow } from './pages.ts';

describe('the pager', () => {
  test('shows all of a few pages, and of many the ends and the neighbourhood', () => {
    expect(pageWindow(3, 4)).toEqual([1, 2, 3, 4]);
    expect(pageWindow(1, 5000)).toEqual([1, 2, 3, 4, 5, null, 5000]);
    expect(pageWindow(2500, 5000)).toEqual([1, null, 2499, 2500, 2501, null, 5000]);
    expect(pageWindow(5000, 5000)).toEqual([1, null, 4996, 4997, 4998, 4999, 5000]);
  });

  test('always shows the current page and never more than ten marks', () => {
    for (const pages of [1, 2, 9, 10, 11, 12, 100]) {
      for (let page = 1; page <= pages; page++) {
        const marks = pageWindow(page, pages);
        expect(marks).toContain(page);
        expect(marks.length).toBeLessThanOrEqual(10);
      }
    }
  });

  test('groups digits', () => {
    expect([7, 999, 1000, 1234567].map(grouped)).toEqual(['7', '999', '1,000', '1,234,567']);
  });
});

test('a date is the day in UTC, up to its last second', () => {
  const time = '2026-11-05T23:59:59.000Z';
  expect([isoDate(time), shortDate(time), longDate(time)]).toEqual(['2026-11-05', '5 Nov 2026', '5 November 2026']);
});
