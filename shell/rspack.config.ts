import path from 'node:path';
import { minimizers, scriptRule, styleRule } from '@colonnade/mfe/build';
import { readyCompressed } from '@colonnade/mfe/build/compress';
import { type Configuration, rspack } from '@rspack/core';
import { buildFonts } from './build/fonts.ts';
import { ShellPlugin } from './build/shell-plugin.ts';

const dev = process.env.NODE_ENV === 'development';
const dir = import.meta.dirname;
const content = { test: /\.md$/, loader: '@colonnade/content/loader', options: { schema: path.join(dir, 'content/site.schema.ts') } };

await buildFonts(path.join(dir, 'dist/fonts'));

const common = (side: 'client' | 'server'): Configuration => ({
  name: side,
  mode: dev ? 'development' : 'production',
  context: dir,
  devtool: dev ? 'inline-cheap-module-source-map' : false,
  lazyCompilation: false,
  performance: false,
  infrastructureLogging: { level: 'warn' },
  resolve: { extensions: ['.ts', '.tsx', '.js'] },
  module: {
    rules: [
      scriptRule(dev, false),
      styleRule({ dir, dev, emit: side === 'client' }),
      content,
      { test: /\.woff2$/, type: 'asset/resource' },
    ],
  },
});

const client = (outDir: string, shell: ShellPlugin): Configuration => ({
  ...common('client'),
  target: ['web', 'es2022'],
  entry: {
    main: [...(dev ? ['./src/client/dev-refresh.ts'] : []), './src/styles/index.css', './src/client/main.tsx'],
    error: './src/styles/error-page.css',
  },
  output: {
    path: path.join(outDir, 'client'),
    clean: true,
    // Where the shell serves them. Each file is at an address of its own content: what a new shell has not changed, browsers have.
    publicPath: '/_mfe/shell/',
    module: true,
    chunkFormat: 'module',
    chunkLoading: 'import',
    filename: '[contenthash:10]/[name].js',
    assetModuleFilename: '[contenthash:10]/[name][ext]',
  },
  optimization: {
    minimize: !dev,
    minimizer: minimizers(),
    moduleIds: 'deterministic',
    // React changes seldom, the shell often: a visitor who comes back after a release of the shell has React still.
    splitChunks: {
      cacheGroups: {
        react: { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, chunks: 'all', enforce: true },
      },
    },
  },
  plugins: [
    new rspack.CssExtractRspackPlugin({ filename: '[contenthash:10]/[name].css', runtime: false }),
    new rspack.DefinePlugin({
      // Nothing of the federation runtime that serves other hosts: manifests and snapshots, Node, script tags.
      FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true',
      ENV_TARGET: '"web"',
    }),
    ...(dev ? [] : [readyCompressed()]),
    shell.client(),
  ],
});

const server = (outDir: string, shell: ShellPlugin): Configuration => ({
  ...common('server'),
  dependencies: ['client'],
  target: 'node24',
  entry: { worker: './src/server/worker.ts', watchdog: './src/server/watchdog/thread.ts' },
  output: {
    path: path.join(outDir, 'server'),
    clean: true,
    module: true,
    chunkFormat: 'module',
    chunkLoading: 'import',
    library: { type: 'module' },
    filename: '[name].mjs',
  },
  // Packages stay packages; what is bundled is our own JSX and content. The contract is bundled too: it is shared from here.
  externalsType: 'module-import',
  externals: [
    ({ request = '' }, callback) => {
      const bare = !/^[./]/.test(request) && !path.isAbsolute(request);
      return bare && !/^@colonnade\/(mfe|content)/.test(request) && !request.endsWith('.css') ? callback(undefined, request) : callback();
    },
  ],
  optimization: { minimize: false },
  node: { __dirname: false },
  plugins: [shell.server()],
});

/** Both sides of the shell, built into a folder. */
export function shellConfig(outDir: string): Configuration[] {
  const shell = new ShellPlugin({ outDir, dev });
  return [client(outDir, shell), server(outDir, shell)];
}

export default shellConfig(path.join(dir, dev ? 'dist-dev' : 'dist'));
