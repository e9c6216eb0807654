import type { Mfe } from '@colonnade/mfe';
import * as contractKit from '@colonnade/mfe';
import kit from '@colonnade/mfe/package.json' with { type: 'json' };
import { createInstance } from '@module-federation/enhanced/runtime';
import * as React from 'react';
import * as jsxDevRuntime from 'react/jsx-dev-runtime';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';

/**
 * The federation host of the page: gives every microfrontend the same React and the same contract.
 * @returns loads a microfrontend's one module from its container's URL; a failed load is tried anew next time
 */
export function createHost(): (name: string, entry: string) => Promise<Mfe> {
  const share = (version: string, module: unknown) => ({
    version,
    lib: () => module,
    shareConfig: { singleton: true, requiredVersion: `^${version}` },
    scope: ['default'],
  });
  const host = createInstance({
    name: 'shell',
    remotes: [],
    shareStrategy: 'loaded-first',
    shared: {
      react: share(React.version, React),
      ...(process.env.NODE_ENV === 'development'
        ? { 'react/jsx-dev-runtime': share(React.version, jsxDevRuntime) }
        : { 'react/jsx-runtime': share(React.version, jsxRuntime) }),
      'react-dom': share(React.version, ReactDOM),
      '@colonnade/mfe': share(kit.version, contractKit),
    },
  });
  return async (name, entry) => {
    const remote = name.replaceAll('-', '_');
    host.registerRemotes([{ name: remote, entry: new URL(entry, location.href).href, type: 'module' }]);
    const module = await host.loadRemote<{ default?: Mfe }>(`${remote}/mfe`);
    if (module?.default?.contract !== 1) throw new Error(`${name}: unknown contract`);
    return module.default;
  };
}
