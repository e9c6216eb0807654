import type { ReactNode } from 'react';
import type { Chrome } from './chrome.ts';
import { Foot } from './foot.tsx';
import { Masthead } from './masthead.tsx';

export interface LayoutProps {
  chrome: Chrome;
  /** Path of the page, without query: tells the current section. */
  path: string;
  /** Another page, or the answer to a form, is on its way. */
  busy: boolean;
  children: ReactNode;
}

/** What every page has around its content. The one `main` of the document is here. */
export function Layout({ chrome, path, busy, children }: LayoutProps): ReactNode {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      {busy && <div className="waiting" />}
      <Masthead name={chrome.site.name} nav={chrome.nav} path={path} />
      <main id="main" tabIndex={-1} aria-busy={busy || undefined}>
        {children}
      </main>
      <Foot footer={chrome.footer} />
    </>
  );
}
