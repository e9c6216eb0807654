import { rmSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'playwright/test';

/** Away from the ports of `pnpm start`, so that both can run. */
const ports = { PORT: 13000, OPS_PORT: 13001, SHELL_PORT: 13100, NEWS_PORT: 13201, INQUIRY_PORT: 13202, MONGO_PORT: 13217 };
const dataDir = path.join(import.meta.dirname, '.data');
// Only the runner itself starts afresh; its workers read this file too.
if (process.env.TEST_WORKER_INDEX === undefined) rmSync(dataDir, { recursive: true, force: true });

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  forbidOnly: true,
  use: {
    baseURL: `http://localhost:${ports.PORT}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM || undefined,
      args: [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
    trace: 'retain-on-failure',
  },
  webServer: {
    command: 'node ../stack/src/main.ts',
    env: { ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])), DATA_DIR: dataDir },
    url: `http://127.0.0.1:${ports.PORT}/healthz`,
    timeout: 240_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'pipe',
  },
});
