import path from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import contentLoader from './kit/content/src/loader.ts';

/** Content files as the builds compile them. */
const content: Plugin = {
  name: 'content',
  enforce: 'pre',
  transform(text, id) {
    const [resourcePath = '', query = ''] = id.split('?');
    if (!resourcePath.endsWith('.md')) return;
    const folder = path.dirname(resourcePath);
    return new Promise((resolve, reject) => {
      const context = {
        getOptions: () => ({ schema: path.join(folder, 'schema.ts') }),
        async: () => (error: Error | null, code?: string) => (error ? reject(error) : resolve(code)),
        addDependency: () => {},
        rootContext: path.dirname(folder),
        resourcePath,
        resourceQuery: query,
      };
      contentLoader.call(context, text);
    });
  },
};

export default defineConfig({
  plugins: [content],
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
