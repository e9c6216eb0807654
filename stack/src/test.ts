/** `pnpm test`: every check there is, one after the other, and one line at the end that counts them all. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './browser.ts';
import { root } from './parts.ts';
import { nodePath } from './process.ts';

interface Count {
  passed: number;
  failed: number;
}

const reports = mkdtempSync(path.join(tmpdir(), 'colonnade-test-'));
const bin = (name: string, pkg = '.') => path.join(root, pkg, 'node_modules/.bin', name);
const total: Count = { passed: 0, failed: 0 };

await step('types', async () => one(await run(bin('tsc'), ['--noEmit'])));
await step('lint and format', async () => one(await run(bin('biome'), ['check', '--error-on-warnings'])));
await step('unit and integration', async () => {
  const report = path.join(reports, 'vitest.json');
  const ok = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  return counted(ok, () => {
    const { numPassedTests, numFailedTests } = readReport<{ numPassedTests: number; numFailedTests: number }>(report);
    return { passed: numPassedTests, failed: numFailedTests };
  });
});
await step('browser journeys', async () => {
  const report = path.join(reports, 'playwright.json');
  const browser = await findBrowser((line) => console.log(line));
  const ok = await run(bin('playwright', 'e2e'), ['test', '--reporter=list,json'], {
    cwd: path.join(root, 'e2e'),
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROMIUM: browser },
  });
  return counted(ok, () => {
    const { stats } = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(report);
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
  });
});
rmSync(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

async function step(name: string, check: () => Promise<Count>): Promise<void> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const count = await check().catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += count.passed;
  total.failed += count.failed;
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed (${Math.round((performance.now() - started) / 1000)} s)`);
}

function one(ok: boolean): Count {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/** What a runner counted; where it failed but counted no failure (a file that does not load), that is one. */
function counted(ok: boolean, count: () => Count): Count {
  const { passed, failed } = count();
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
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
