import type { Page } from '@colonnade/mfe/host';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { App } from '../app.tsx';
import type { Chrome } from '../ui/chrome.ts';
import type { View } from '../view.ts';

/** How navigation, which lives outside of React, changes what React shows. */
export interface RootHandle {
  /** The view on the screen. */
  current: View;
  /** Shows another view, at once. */
  show(view: View): void;
  navigating(state: Page['navigation']): void;
  /** Resolves when the page has been taken over. */
  ready: Promise<void>;
  taken(): void;
}

export function createHandle(current: View): RootHandle {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    current,
    show: () => {},
    navigating: () => {},
    ready: promise,
    taken() {
      // For whoever must know that the page answers to input now.
      document.documentElement.dataset.hydrated = '';
      resolve();
    },
  };
}

interface RootProps {
  initial: View;
  chrome: Chrome;
  handle: RootHandle;
}

/** The one stateful component around the app: which view is shown, and whether another is on its way. */
export function Root({ initial, chrome, handle }: RootProps): ReactNode {
  const [state, setState] = useState<{ view: View; navigation: Page['navigation'] }>({ view: initial, navigation: 'idle' });
  useEffect(() => {
    handle.show = (view) => {
      handle.current = view;
      flushSync(() => setState({ view, navigation: 'idle' }));
    };
    handle.navigating = (navigation) => setState((old) => (old.navigation === navigation ? old : { ...old, navigation }));
    handle.taken();
  }, [handle]);
  return <App view={state.view} chrome={chrome} host={location.host} navigation={state.navigation} />;
}
