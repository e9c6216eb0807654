import { expect, test } from 'vitest';
import { found } from './found.ts';

test('a search that stopped does not tell its number as that of all items', () => {
  expect(found('gauge', { total: 100, more: true })).toBe('The newest 100 items found for “gauge”. Further words may find older ones.');
  expect(found('gauge', { total: 100 })).toBe('100 items found for “gauge”');
  expect(found('gauge', { total: 1 })).toBe('1 item found for “gauge”');
  expect(found('gauge', { total: 0 })).toMatch(/^Nothing found for “gauge”/);
});
