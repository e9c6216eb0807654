/** `pnpm test`: every check there is, one after the other; at the end what was skipped, what failed once more, and one line that counts them all. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './parts.ts';
import { nodePath } from './process.ts';
import { type Outcome, outcome, playwrightOutcome, vitestOutcome } from './test-reports.ts';

const reports = mkdtempSync(path.join(tmpdir(), 'colonnade-test-'));
const bin = (name: string, pkg = '.') => path.join(root, pkg, 'node_modules/.bin', name);
const total: Outcome = { passed: 0, failures: [], skipped: [] };
/** Of the text of one failure: the rest stands where it happened. */
const shownLines = 12;

await step('types', async () => one(await run(bin('tsc'), ['--noEmit'])));
await step('lint and format', async () => one(await run(bin('biome'), ['check', '--error-on-warnings'])));
await step('unit and integration', async () => {
  const report = path.join(reports, 'vitest.json');
  const ok = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  return vitestOutcome(ok, readReport(report));
});
await step('browser journeys', async () => {
  const report = path.join(reports, 'playwright.json');
  const ok = await run(bin('playwright', 'e2e'), ['test', '--reporter=list,json'], {
    cwd: path.join(root, 'e2e'),
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return playwrightOutcome(ok, readReport(report));
});
rmSync(reports, { recursive: true, force: true });
for (const title of total.skipped) console.log(`\n– skipped: ${title}`);
for (const failure of total.failures) console.log(`\n✗ ${failure.split('\n').slice(0, shownLines).join('\n  ')}`);
console.log(`\n${total.passed} passed, ${total.failures.length} failed`);
process.exit(total.failures.length > 0 ? 1 : 0);

async function step(name: string, check: () => Promise<Outcome>): Promise<void> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const { passed, failures, skipped } = await check().catch((error: Error) => outcome(false, 0, [String(error.stack)]));
  total.passed += passed;
  total.failures.push(...failures.map((failure) => `${name} › ${failure}`));
  total.skipped.push(...skipped.map((title) => `${name} › ${title}`));
  console.log(`── ${name}: ${passed} passed, ${failures.length} failed (${Math.round((performance.now() - started) / 1000)} s)`);
}

function one(ok: boolean): Outcome {
  return outcome(ok, ok ? 1 : 0);
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
