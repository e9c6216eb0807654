/** `pnpm test`: every check there is, one after the other; at the end what failed once more, and one line that counts them all. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './parts.ts';
import { nodePath } from './process.ts';

interface Outcome {
  passed: number;
  /** What failed and why, each. */
  failures: string[];
}

interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { file: string; title: string; tests: { status: string; results: { errors: { message?: string }[] }[] }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number };
  suites: PlaywrightSuite[];
}

const reports = mkdtempSync(path.join(tmpdir(), 'colonnade-test-'));
const bin = (name: string, pkg = '.') => path.join(root, pkg, 'node_modules/.bin', name);
const total: Outcome = { passed: 0, failures: [] };
/** Of the text of one failure: the rest stands where it happened. */
const shownLines = 12;

await step('types', async () => one(await run(bin('tsc'), ['--noEmit'])));
await step('lint and format', async () => one(await run(bin('biome'), ['check', '--error-on-warnings'])));
await step('unit and integration', async () => {
  const report = path.join(reports, 'vitest.json');
  const ok = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  const { numPassedTests, testResults } = readReport<VitestReport>(report);
  return outcome(ok, numPassedTests, testResults.flatMap(failuresOf));
});
await step('browser journeys', async () => {
  const report = path.join(reports, 'playwright.json');
  const ok = await run(bin('playwright', 'e2e'), ['test', '--reporter=list,json'], {
    cwd: path.join(root, 'e2e'),
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const { stats, suites } = readReport<PlaywrightReport>(report);
  return outcome(ok, stats.expected, suites.flatMap(failuresIn));
});
rmSync(reports, { recursive: true, force: true });
for (const failure of total.failures) console.log(`\n✗ ${failure.split('\n').slice(0, shownLines).join('\n  ')}`);
console.log(`\n${total.passed} passed, ${total.failures.length} failed`);
process.exit(total.failures.length > 0 ? 1 : 0);

async function step(name: string, check: () => Promise<Outcome>): Promise<void> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const { passed, failures } = await check().catch((error: Error) => ({ passed: 0, failures: [String(error.stack)] }));
  total.passed += passed;
  total.failures.push(...failures.map((failure) => `${name} › ${failure}`));
  console.log(`── ${name}: ${passed} passed, ${failures.length} failed (${Math.round((performance.now() - started) / 1000)} s)`);
}

function one(ok: boolean): Outcome {
  return outcome(ok, ok ? 1 : 0, []);
}

/** What a runner counted; where it failed but counted no failure (a file that does not load), that is one. */
function outcome(ok: boolean, passed: number, failures: string[]): Outcome {
  return { passed, failures: ok || failures.length > 0 ? failures : ['said above'] };
}

/** Of one file; where it does not load, that is one. */
function failuresOf({ name, status, message, assertionResults }: VitestReport['testResults'][number]): string[] {
  const file = path.relative(root, name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => `${file} › ${fullName}\n${failureMessages.join('\n')}`);
  return failed.length === 0 && status === 'failed' ? [`${file}\n${message}`] : failed;
}

/** A test that passed only when it was tried again has failed. */
function failuresIn({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => `${file} › ${title}\n${results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n')}`),
  );
  return [...own, ...suites.flatMap(failuresIn)];
}

function readReport<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function run(
  file: string,
  args: string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, PATH: nodePath(), ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
