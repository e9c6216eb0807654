import { expect, it } from 'vitest';
import { type LiveChange, rollbackTarget } from './rollback-target.ts';

const all = () => true;
const activated = (...versions: string[]): LiveChange[] => versions.map((version) => ({ kind: 'activate', version }));
const back = (version: string | null): LiveChange => ({ kind: 'rollback', version });

it('goes back to what was live before, and once more to what was before that', () => {
  const history = activated('1', '2', '3');
  expect(rollbackTarget(history, all)).toBe('2');
  expect(rollbackTarget([...history, back('2')], all)).toBe('1');
  expect(rollbackTarget([...history, back('2'), back('1')], all)).toBeNull();
  expect(rollbackTarget([...history, back('2'), ...activated('4')], all)).toBe('2');
});

it('brings back what was deactivated', () => {
  expect(rollbackTarget([...activated('1', '2'), { kind: 'deactivate', version: null }], all)).toBe('2');
  expect(rollbackTarget([...activated('1', '2'), { kind: 'deactivate', version: null }, back('2')], all)).toBe('1');
});

it('passes over what must not come back, and over the version that is live', () => {
  expect(rollbackTarget(activated('1', '2', '3'), (version) => version !== '2')).toBe('1');
  expect(rollbackTarget(activated('2', '1', '2'), (version) => version !== '1')).toBeNull();
});

it('has nowhere to go without a history', () => {
  expect(rollbackTarget([], all)).toBeNull();
  expect(rollbackTarget(activated('1'), all)).toBeNull();
});
