import { expect, test } from 'vitest';
import { formatLength, position } from './logarithmic-scale.ts';

test('the scale runs from 1 µm to 1 m, a sixth to a decade', () => {
  expect([0.001, 0.01, 1, 1000].map(position)).toEqual([0, 16.67, 50, 100]);
});

test('lengths are written in the unit that makes them short', () => {
  expect([0.001, 0.007, 0.02, 300, 1000].map((mm) => formatLength(mm))).toEqual([
    '1\u00a0µm',
    '7\u00a0µm',
    '0.02\u00a0mm',
    '300\u00a0mm',
    '1\u00a0m',
  ]);
  expect(formatLength(0.01)).toBe('0.01\u00a0mm');
  expect(formatLength(0.01, 'axis')).toBe('10\u00a0µm');
});
