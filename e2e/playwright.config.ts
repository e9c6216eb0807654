import { rmSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from '@colonnade/stack/browser';
import { defineConfig } from 'playwright/test';
import { fixtureDataDir, fixtureOrigin, fixturePorts } from './support/fixture-site.ts';

/** Away from the ports of `pnpm start`, so that both can run. */
const ports = {
  PORT: 13000,
  OPS_PORT: 13001,
  SHELL_PORT: 13100,
  NEWS_PORT: 13201,
  INQUIRY_PORT: 13202,
  REGISTRY_PORT: 13203,
  MONGO_PORT: 13217,
};
const dataDir = path.join(import.meta.dirname, '.data');
// Where these are set they are another site's, and Playwright hands them on to all that it starts.
for (const owner of ['', 'NEWS_', 'INQUIRY_', 'REGISTRY_']) delete process.env[`${owner}MONGODB_URI`];
for (const name of ['SMTP_URL', 'MAIL_DIR', 'PURGE_URLS']) delete process.env[name];
// Only the runner itself starts afresh; its workers read this file too.
if (process.env.TEST_WORKER_INDEX === undefined) for (const dir of [dataDir, fixtureDataDir]) rmSync(dir, { recursive: true, force: true });

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const site = { timeout: 240_000, gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 }, stdout: 'pipe' } as const;
const environment = (own: Record<string, number>, DATA_DIR: string) => ({
  ...Object.fromEntries(Object.entries(own).map(([name, port]) => [name, String(port)])),
  DATA_DIR,
});

export default defineConfig({
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // A machine that stalls is no fault of ours: what is waited for comes, or never does.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    launchOptions: {
      executablePath: await findBrowser(console.log),
      args: [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
    trace: 'retain-on-failure',
  },
  projects: [
    { name: 'journeys', testDir: 'journeys', use: { baseURL: `http://localhost:${ports.PORT}` } },
    // Publishes news with hostile words on the journeys' site, so it comes after.
    { name: 'security', testDir: 'security', dependencies: ['journeys'], use: { baseURL: `http://localhost:${ports.PORT}` } },
    { name: 'federation', testDir: 'federation', use: { baseURL: fixtureOrigin } },
    // Moves the release set of the site that `federation` looks at, so it comes after.
    {
      name: 'releases',
      testDir: 'releases',
      dependencies: ['federation'],
      fullyParallel: false,
      workers: 1,
      use: { baseURL: fixtureOrigin },
    },
    // Starts a site of its own, in development mode, from a copy of the sources.
    { name: 'development', testDir: 'development', fullyParallel: false },
    // These two kill and freeze what others would look at, and flood the machine: nothing else may run beside them.
    {
      name: 'containment',
      testDir: 'containment',
      dependencies: ['journeys', 'security', 'federation', 'releases', 'development'],
      fullyParallel: false,
      workers: 1,
    },
    // On a site of its own.
    { name: 'faults', testDir: 'faults', dependencies: ['containment'], fullyParallel: false, workers: 1 },
  ],
  webServer: [
    {
      ...site,
      command: 'node ../stack/src/main.ts',
      // Every line that there can be: they are searched for what visitors have sent.
      env: { ...environment(ports, dataDir), LOG_LEVEL: 'debug' },
      url: `http://127.0.0.1:${ports.PORT}/healthz`,
    },
    {
      ...site,
      command: 'node fixture-site.ts',
      // One worker: what its log and its globals say is then all there is. A trial may last as long as two shells need one after the other.
      env: { ...environment(fixturePorts, fixtureDataDir), SHELL_WORKERS: '1', TRIAL_MS: '20000' },
      url: `${fixtureOrigin}/probe-v1`,
    },
  ],
});
