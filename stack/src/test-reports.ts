/** What the reports of vitest and Playwright say. */
import path from 'node:path';
import { root } from './parts.ts';

export interface Outcome {
  passed: number;
  /** What failed and why, each. */
  failures: string[];
  /** What was not run here, by its title. */
  skipped: string[];
}

export interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

export interface PlaywrightReport {
  stats: { expected: number };
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { file: string; title: string; tests: { status: string; results: { errors: { message?: string }[] }[] }[] }[];
}

/** What a runner counted; where it failed but counted no failure (a file that does not load), that is one. */
export function outcome(ok: boolean, passed: number, failures: string[] = [], skipped: string[] = []): Outcome {
  return { passed, failures: ok || failures.length > 0 ? failures : ['said above'], skipped };
}

export function vitestOutcome(ok: boolean, { numPassedTests, testResults }: VitestReport): Outcome {
  const skipped = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${path.relative(root, name)} › ${fullName}`),
  );
  return outcome(ok, numPassedTests, testResults.flatMap(failuresOf), skipped);
}

export function playwrightOutcome(ok: boolean, { stats, suites }: PlaywrightReport): Outcome {
  const specs = suites.flatMap(specsIn);
  const failures = specs.flatMap(({ file, title, tests }) =>
    tests
      // A test that passed only when it was tried again has failed.
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => `${file} › ${title}\n${results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n')}`),
  );
  const skipped = specs.filter(({ tests }) => tests.some(({ status }) => status === 'skipped'));
  return outcome(
    ok,
    stats.expected,
    failures,
    skipped.map(({ file, title }) => `${file} › ${title}`),
  );
}

/** Of one file; where it does not load, that is one. */
function failuresOf({ name, status, message, assertionResults }: VitestReport['testResults'][number]): string[] {
  const file = path.relative(root, name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => `${file} › ${fullName}\n${failureMessages.join('\n')}`);
  return failed.length === 0 && status === 'failed' ? [`${file}\n${message}`] : failed;
}

function specsIn({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsIn)];
}
