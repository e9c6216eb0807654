import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{kit,shell,mfe-*,gateway,services,stack}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/dist-dev/**', 'e2e/**'],
    globalSetup: ['stack/src/mongo/vitest-setup.ts'],
    // Much of the time is spent waiting for processes, so that two files at once pay off even on two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes, or never does: a machine that stalls is no fault of ours.
    expect: { poll: { timeout: 20_000 } },
    // Tests read answers and databases, not logs; those that do spawn a process with a level of its own.
    env: { LOG_LEVEL: 'silent' },
  },
});
