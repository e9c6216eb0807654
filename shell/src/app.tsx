import { BelowFoldContext, Boundary, type Page, PageContext, pagePath } from '@colonnade/mfe/host';
import { type ReactNode, StrictMode, useMemo } from 'react';
import type { Chrome } from './ui/chrome.ts';
import { ErrorPage } from './ui/error-page.tsx';
import { Layout } from './ui/layout.tsx';
import { showsPage, type View, viewPage } from './view.ts';

export interface AppProps {
  view: View;
  chrome: Chrome;
  /** The host in the visitor's address bar. */
  host: string;
  navigation: Page['navigation'];
  /** Without it, the page has its first screen only. */
  belowFold?: boolean;
}

/** The whole of what is inside `<div id="root">`, the same on server and client. There is one layout, whatever happens inside it. */
export function App({ view, chrome, host, navigation, belowFold = true }: AppProps): ReactNode {
  const { answer, route } = view;
  const page = useMemo(() => viewPage(view, chrome.site, navigation), [view, chrome, navigation]);
  const path = pagePath(view);
  const error = (status: number, digest?: string) => <ErrorPage status={status} host={host} digest={digest} chrome={chrome} />;
  return (
    <StrictMode>
      <PageContext.Provider value={page}>
        <Layout chrome={chrome} path={path} busy={navigation !== 'idle'}>
          {showsPage(answer)
            ? route && (
                <Boundary key={`${route.mfe}/${route.id}${path}`} of={view} fallback={error(0)}>
                  <BelowFoldContext.Provider value={belowFold}>
                    <route.Component />
                  </BelowFoldContext.Provider>
                </Boundary>
              )
            : error(answer.status, answer.digest)}
        </Layout>
      </PageContext.Provider>
    </StrictMode>
  );
}
