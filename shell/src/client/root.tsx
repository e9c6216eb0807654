import type { Page } from '@colonnade/mfe/host';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { App } from '../app.tsx';
import type { Chrome } from '../ui/chrome.ts';
import type { View } from '../view.ts';
import { whenPainted } from './moments.ts';

/** How navigation, which lives outside of React, changes what React shows. */
export interface RootHandle {
  /** The view on the screen. */
  current: View;
  /** Shows another view, at once, or its first screen at once and what is below it after that. */
  show(view: View, firstScreen: boolean): void;
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

interface State {
  view: View;
  navigation: Page['navigation'];
  belowFold: boolean;
}

/** The one stateful component around the app: which view is shown, and whether another is on its way. */
export function Root({ initial, chrome, handle }: RootProps): ReactNode {
  const [state, setState] = useState<State>({ view: initial, navigation: 'idle', belowFold: true });
  useEffect(() => {
    handle.show = (view, firstScreen) => {
      handle.current = view;
      flushSync(() => setState({ view, navigation: 'idle', belowFold: !firstScreen }));
      if (firstScreen) whenPainted(() => setState((old) => (old.view === view ? { ...old, belowFold: true } : old)));
    };
    handle.navigating = (navigation) => setState((old) => (old.navigation === navigation ? old : { ...old, navigation }));
    handle.taken();
  }, [handle]);
  return <App {...state} chrome={chrome} host={location.host} />;
}
