/** The browser's entry: brings to life the page that the server rendered, then takes navigation over. */
import { matchPath } from '@colonnade/mfe/routing';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Boot } from '../boot.ts';
import { showsPage, type View } from '../view.ts';
import { reportFailures } from './beacon.ts';
import { applyHead } from './head.ts';
import { leaveAsItIs } from './inert-page.ts';
import { startNavigation } from './navigation.ts';
import { createHandle, Root } from './root.tsx';
import { createRouteLoader } from './route-loader.ts';

const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot;
const reportFailure = reportFailures(boot.set);
const loader = createRouteLoader(boot);
const { chrome, paths, styles, table, integrity, ...answer } = boot;
const first = table?.routes[0];

const view: View = {
  url: location.pathname + location.search,
  params: (first && matchPath(first.path, location.pathname)) ?? {},
  answer,
  route: first ? await loader.loadRoute(first.path) : null,
};

const handle = createHandle(view);
const element = <Root initial={view} chrome={chrome} handle={handle} />;
const onCaughtError = (error: unknown) => {
  console.error(error);
  reportFailure();
  loader.loadErrorStyle();
};

if (!first && showsPage(answer)) leaveAsItIs(handle, (next) => flushSync(() => createRoot(next, { onCaughtError }).render(element)));
else
  hydrateRoot(document.getElementById('root') as HTMLElement, element, {
    onCaughtError,
    // React's default reports it as if nobody had caught it.
    onRecoverableError(error, { componentStack }) {
      console.error('The server and the browser disagree about this page.', error, componentStack);
    },
  });
startNavigation({
  set: boot.set,
  paths,
  main: chrome.nav.map((entry) => entry.path),
  loader,
  handle,
  applyHead: (shown) => applyHead(shown, chrome.site),
});

if (process.env.NODE_ENV === 'development') {
  const { followServer } = await import('./dev-client.ts');
  followServer(boot.set);
}
