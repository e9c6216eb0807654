import { expect, test } from 'vitest';
import { formatLength, position } from './logarithmic-scale.ts';

test('the scale runs from 1 µm to 1 m, a sixth to a decade', () => {
  expect([0.001, 0.01, 1, 1000].map(position)).toEqual(['0.00%', '16.67%', '50.00%', '100.00%']);
});

test('lengths are written in the unit that makes them short', () => {
  expect([0.001, 0.007, 0.02, 300, 1000].map((mm) => formatLength(mm))).toEqual(['1 µm', '7 µm', '0.02 mm', '300 mm', '1 m']);
  expect(formatLength(0.01)).toBe('0.01 mm');
  expect(formatLength(0.01, 'axis')).toBe('10 µm');
});
