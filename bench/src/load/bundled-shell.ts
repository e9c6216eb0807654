import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '@colonnade/stack/parts';
import { type Configuration, type RuleSetRule, rspack } from '@rspack/core';

const mfes = ['mfe-inquiry', 'mfe-news', 'mfe-pages'].map((name) => path.join(root, name));
const runtime = '@module-federation/enhanced/runtime';
/** In the shell's folder, so that its packages are found. */
const outDir = path.join(root, 'shell/node_modules/.cache/colonnade-bundled');

/**
 * Builds the shell's worker and the microfrontends into one bundle. Sources, loaders, React, the release set and what
 * browsers get are the same; only that the code comes from live releases through Module Federation is gone.
 * @returns the worker's file
 */
export async function buildBundled(): Promise<string> {
  rmSync(outDir, { recursive: true, force: true });
  // Before the build: it reads the files beside it as the shell's own worker does.
  cpSync(path.join(root, 'shell/dist'), outDir, { recursive: true });
  const server = (await configs('shell'))[1] as Configuration;
  await built({
    ...server,
    dependencies: [],
    entry: { worker: './src/server/worker.ts', watchdog: './src/server/watchdog/thread.ts' },
    output: { ...server.output, path: path.join(outDir, 'server') },
    resolve: { ...server.resolve, alias: { [`${runtime}$`]: path.join(import.meta.dirname, 'direct-remotes.ts') } },
    externals: [externals(server)],
    module: {
      parser: { javascript: { dynamicImportMode: 'eager' } },
      rules: [
        ...rulesOf(server).map((rule) => ({ ...rule, exclude: mfes })),
        ...(
          await Promise.all(
            mfes.map(async (dir) => rulesOf((await configs(path.basename(dir)))[1]).map((rule) => ({ ...rule, include: dir }))),
          )
        ).flat(),
      ],
    },
    plugins: [],
  });
  return path.join(outDir, 'server/worker.mjs');
}

async function configs(part: string): Promise<Configuration[]> {
  return ((await import(path.join(root, part, 'rspack.config.ts'))) as { default: Configuration[] }).default;
}

function rulesOf(config: Configuration | undefined): RuleSetRule[] {
  return (config?.module?.rules ?? []) as RuleSetRule[];
}

/** As the shell's, which leaves packages outside; what microfrontends bring along is bundled, as in their releases. React is one. */
function externals({ externals }: Configuration) {
  const [shells] = externals as [(data: { request?: string }, callback: (error?: undefined, external?: string) => void) => void];
  return (data: { request?: string; context?: string }, callback: (error?: undefined, external?: string) => void) => {
    const { request = '', context = '' } = data;
    const shell = [path.join(root, 'shell'), path.join(root, 'kit')].some((dir) => context.startsWith(dir));
    if (request === runtime) return callback();
    if (shell || /^react(-dom)?(\/|$)/.test(request)) return shells(data, callback);
    callback();
  };
}

function built(config: Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    rspack(config).run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString({ all: false, errors: true })));
      else resolve();
    });
  });
}
