import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './parts.ts';
import { playwrightOutcome, vitestOutcome } from './test-reports.ts';

test('what vitest has skipped is named, beside what failed', () => {
  const result = (status: string) => ({ status, fullName: `a ${status} one`, failureMessages: ['why'] });
  const file = (name: string, status: string, ...of: string[]) => ({
    name: path.join(root, name),
    status,
    message: 'does not load',
    assertionResults: of.map(result),
  });
  const testResults = [file('a.test.ts', 'failed', 'passed', 'failed', 'skipped', 'todo'), file('b.test.ts', 'failed')];
  expect(vitestOutcome(false, { numPassedTests: 1, testResults })).toEqual({
    passed: 1,
    failures: ['a.test.ts › a failed one\nwhy', 'b.test.ts\ndoes not load'],
    skipped: ['a.test.ts › a skipped one', 'a.test.ts › a todo one'],
  });
});

test('what Playwright has skipped is named, beside what failed or passed only at last', () => {
  const spec = (status: string) => ({ file: 'a.test.ts', title: status, tests: [{ status, results: [{ errors: [{ message: 'why' }] }] }] });
  const suites = [{ specs: [spec('expected'), spec('flaky')], suites: [{ specs: [spec('skipped'), spec('unexpected')] }] }];
  expect(playwrightOutcome(false, { stats: { expected: 1 }, suites })).toEqual({
    passed: 1,
    failures: ['a.test.ts › flaky\nwhy', 'a.test.ts › unexpected\nwhy'],
    skipped: ['a.test.ts › skipped'],
  });
});
