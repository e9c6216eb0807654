import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  type Configuration,
  type ModuleFederationPluginV1Options,
  type OptimizationSplitChunksOptions,
  type RspackPluginInstance,
  type RuleSetRule,
  rspack,
} from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';
import type { Release } from '../src/release.ts';
import { readyCompressed } from './compress.ts';
import { ReleasePlugin } from './release-plugin.ts';

const require = createRequire(import.meta.url);
/** Syntax that the supported browsers share; also what makes the Navigation API and import map integrity likely. */
export const browsers = ['chrome 123', 'firefox 121', 'safari 17.5', 'ios_saf 17.5'];
/** Files that code imports for their addresses. */
const assets = /\.(png|jpe?g|webp|avif|gif|ico|svg|woff2|pdf)$/i;
/** Shared with the shell as single instances, never bundled by a microfrontend; beside each the package whose version counts. */
const sharedModules = (dev: boolean) => ({
  react: 'react',
  [dev ? 'react/jsx-dev-runtime' : 'react/jsx-runtime']: 'react',
  'react-dom': 'react-dom',
  '@colonnade/mfe': '@colonnade/mfe',
});

export interface MfeOptions {
  /** The microfrontend's folder: `import.meta.dirname` of its rspack.config.ts. */
  dir: string;
  /** Further module rules, for example a content loader. */
  rules?: RuleSetRule[];
  /** Release version. Default: `MFE_VERSION`, else the version in package.json. */
  version?: string;
  /** Builds for development: unminified, with Fast Refresh, without hashes in file names. Default: NODE_ENV is `development`. */
  dev?: boolean;
  /** Default: `dist`, in development `dist-dev`. */
  outDir?: string;
  /** `enhanced` where a microfrontend needs a runtime plugin of Module Federation 2; its container is 30 kB gzip. Default `v1`: 4 kB. */
  container?: Release['container'];
}

/**
 * Rspack configuration of a microfrontend: one config for each side, one exposed module `./mfe`, and `release.json`
 * derived from both. Needs `src/mfe.ts` with an `Mfe` as its default export.
 * @see docs/decisions/0002-container-format.md
 */
export function mfeConfig(options: MfeOptions): Configuration[] {
  const dev = options.dev ?? process.env.NODE_ENV === 'development';
  const pkg = JSON.parse(readFileSync(path.join(options.dir, 'package.json'), 'utf8')) as { name: string; version: string };
  const version = options.version ?? process.env.MFE_VERSION ?? pkg.version;
  const outDir = options.outDir ?? path.join(options.dir, dev ? 'dist-dev' : 'dist');
  const shared = Object.fromEntries(
    // A patch changes nothing that code could count on: one that the team has before the site is no reason to refuse the release.
    Object.entries(sharedModules(dev)).map(([module, from]) => [
      module,
      `^${installedVersion(options.dir, from).split('.', 2).join('.')}.0`,
    ]),
  );
  const format = options.container ?? 'v1';
  const release = new ReleasePlugin({ name: pkg.name, version, dir: options.dir, outDir, shared, container: format });
  return [clientConfig(), serverConfig()];

  function clientConfig(): Configuration {
    const hash = dev ? '' : '.[contenthash:10]';
    return {
      ...common('client'),
      target: ['web', 'es2022'],
      output: {
        ...output('client'),
        publicPath: 'auto',
        filename: `[name]${hash}.js`,
        chunkFilename: `[name]${hash}.js`,
        module: true,
        chunkFormat: 'module',
        chunkLoading: 'import',
      },
      optimization: { ...common('client').optimization, splitChunks: dev ? false : exposeInContainer(containerName(pkg.name)) },
      plugins: [
        // The shell puts styles into the page and loads them before a navigation: the chunk runtime must not do it again.
        new rspack.CssExtractRspackPlugin({ filename: `[name]${hash}.css`, chunkFilename: `[name]${hash}.css`, runtime: false }),
        // Loaders, actions and trials exist on the server only.
        new rspack.NormalModuleReplacementPlugin(/\.server\.tsx?$/, path.join(import.meta.dirname, 'empty.ts')),
        container(`remote${hash}.js`, { type: 'module' }),
        ...(dev
          ? [
              new rspack.HotModuleReplacementPlugin(),
              new ReactRefreshRspackPlugin({ library: containerName(pkg.name), injectEntry: false }),
            ]
          : [readyCompressed()]),
        release.client(),
      ],
    };
  }

  function serverConfig(): Configuration {
    return {
      ...common('server'),
      // Both sides are described in one release.json, so the server's build waits for the client's chunk names.
      dependencies: ['client'],
      target: 'async-node24',
      output: {
        ...output('server'),
        publicPath: '',
        // `.cjs`, because the packages around are ES modules.
        filename: '[name].cjs',
        chunkFilename: '[name].cjs',
        library: { type: 'commonjs2' },
        chunkLoading: 'require',
      },
      plugins: [
        new rspack.DefinePlugin({ 'import.meta.url': `require('node:url').pathToFileURL(__filename).href` }),
        container('remote.cjs', { type: 'commonjs-module' }),
        release.server(),
      ],
    };
  }

  function common(side: 'client' | 'server'): Configuration {
    const client = side === 'client';
    return {
      name: side,
      mode: dev ? 'development' : 'production',
      context: options.dir,
      entry: {},
      devtool: dev ? 'inline-cheap-module-source-map' : false,
      lazyCompilation: false,
      performance: false,
      infrastructureLogging: { level: 'warn' },
      resolve: {
        extensions: ['.ts', '.tsx', '.js'],
        // One Fast Refresh runtime for the page, and the shell has it.
        alias: dev ? { 'react-refresh': path.join(import.meta.dirname, 'refresh-proxy') } : {},
      },
      resolveLoader: { modules: [path.join(import.meta.dirname, '..', 'node_modules'), 'node_modules'] },
      module: {
        rules: [
          scriptRule(dev, dev && client),
          styleRule({ name: pkg.name, dir: options.dir, dev, emit: client }),
          { test: assets, type: 'asset/resource' },
          ...(options.rules ?? []),
        ],
        generator: {
          'asset/resource': {
            emit: client,
            filename: '[contenthash][ext]',
            // Where the shell serves the release, on both sides: what is rendered on the server names the same file.
            publicPath: `/_mfe/${pkg.name}/${version}/`,
          },
        },
        // `new URL('./a.png', import.meta.url).href` is that path too, and no place in the server's file system. By itself
        // `import.meta.url` is where the built file lies: that of the source would be a place on the machine that built it.
        parser: { javascript: { url: 'relative', importMeta: { url: !client } } },
      },
      optimization: {
        minimize: client && !dev,
        minimizer: minimizers(),
        moduleIds: dev ? 'named' : 'deterministic',
        chunkIds: dev ? 'named' : 'deterministic',
        splitChunks: false,
      },
    };
  }

  function output(side: 'client' | 'server'): Configuration['output'] {
    return { path: path.join(outDir, side), clean: !dev, uniqueName: containerName(pkg.name) };
  }

  function container(filename: string, library: { type: string }) {
    const expose = dev && library.type === 'module' ? [path.join(import.meta.dirname, 'hot.ts'), './src/mfe.ts'] : './src/mfe.ts';
    const common: ModuleFederationPluginV1Options = {
      name: containerName(pkg.name),
      filename,
      library,
      // The name makes the expose's chunk findable in the build's statistics.
      exposes: { './mfe': { import: expose, name: 'mfe' } },
      shared: Object.fromEntries(
        Object.entries(shared).map(([module, requiredVersion]) => [
          module,
          // `strictVersion`: a version that does not fit is refused when the release is loaded, not met as a broken hook later.
          { singleton: true, import: false as const, strictVersion: true, requiredVersion },
        ]),
      ),
    };
    return format === 'enhanced'
      ? enhancedContainer(common, library.type === 'module' ? 'web' : 'node')
      : new rspack.container.ModuleFederationPluginV1(common);
  }
}

/** The same container in Module Federation 2's format, with a runtime of its own. Loaded only where it is asked for. */
function enhancedContainer(common: ModuleFederationPluginV1Options, target: 'web' | 'node'): RspackPluginInstance {
  const { ModuleFederationPlugin } = require('@module-federation/enhanced/rspack') as typeof import('@module-federation/enhanced/rspack');
  return new ModuleFederationPlugin({
    ...(common as ConstructorParameters<typeof ModuleFederationPlugin>[0]),
    shareStrategy: 'loaded-first',
    manifest: false,
    dts: false,
    experiments: { optimization: { disableSnapshot: true, target } },
  });
}

/**
 * Puts `./mfe` into the container's own file: who asks for the one needs the other. Styles stay with their chunk, and so do
 * shared modules, which the container has only after the shell has given them to it.
 */
function exposeInContainer(name: string): OptimizationSplitChunksOptions {
  return {
    cacheGroups: {
      default: false,
      defaultVendors: false,
      expose: { name, chunks: (chunk) => chunk.name === 'mfe', type: /^(javascript|json)/, enforce: true },
    },
  };
}

/** The JavaScript identifier of a remote: `mfe-news` → `mfe_news`. */
export function containerName(name: string): string {
  return name.replaceAll('-', '_');
}

/** TypeScript and JSX, compiled by the loader inside Rspack. */
export function scriptRule(dev: boolean, refresh: boolean): RuleSetRule {
  return {
    test: /\.tsx?$/,
    loader: 'builtin:swc-loader',
    options: {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        target: 'es2022',
        transform: { react: { runtime: 'automatic', development: dev, refresh } },
      },
    },
    type: 'javascript/auto',
  };
}

/**
 * CSS and CSS modules. Class names are made of the package's name too, so that two teams' `.list` never meet, nor what two teams
 * have of different versions of this kit.
 * @param o.name undefined for the shell: what it takes from this kit keeps its names, as all of the shell's classes do
 * @param o.emit false on the server, which needs the class names only
 */
export function styleRule(o: { name?: string; dir: string; dev: boolean; emit: boolean }): RuleSetRule {
  const css = {
    loader: require.resolve('css-loader'),
    options: {
      modules: {
        auto: true,
        namedExport: false,
        exportLocalsConvention: 'as-is',
        exportOnlyLocals: !o.emit,
        localIdentName: o.name === undefined ? '[local]' : o.dev ? '[name]-[local]-[hash:base64:4]' : '[hash:base64:6]',
        localIdentContext: o.dir,
        localIdentHashSalt: o.name,
      },
    },
  };
  return { test: /\.css$/, use: o.emit ? [rspack.CssExtractRspackPlugin.loader, css] : [css], type: 'javascript/auto' };
}

/** Minifiers for both languages, told which browsers to write for. */
export function minimizers() {
  return [
    new rspack.SwcJsMinimizerRspackPlugin({ minimizerOptions: { format: { comments: false } } }),
    new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: browsers } }),
  ];
}

function installedVersion(dir: string, module: string): string {
  const file = createRequire(path.join(dir, 'package.json')).resolve.paths(module) ?? [];
  for (const folder of file) {
    try {
      return (JSON.parse(readFileSync(path.join(folder, module, 'package.json'), 'utf8')) as { version: string }).version;
    } catch {
      // Not in this folder: look further up.
    }
  }
  throw new Error(`${dir}: ${module} is not installed; every microfrontend needs it as a dependency`);
}
