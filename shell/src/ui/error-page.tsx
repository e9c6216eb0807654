import { Link } from '@colonnade/mfe';
import { type ReactNode, useEffect, useRef } from 'react';
import { DialIndicator } from './art/dial-indicator.tsx';
import { GaugeBlocks } from './art/gauge-blocks.tsx';
import type { Chrome } from './chrome.ts';
import { errorText, isApplicationError } from './error-texts.ts';

export { errorMeta } from './error-texts.ts';

export interface ErrorPageProps {
  /** The answer's status; 0 for an exception in the browser. */
  status: number;
  /** The host in the visitor's address bar. */
  host: string;
  /** Finds a server's error in its log. */
  digest?: string;
  chrome: Chrome;
}

/** Stands in `main` in place of a page, with the status's own words and ways on. */
export function ErrorPage({ status, host, digest, chrome }: ErrorPageProps): ReactNode {
  const { title, text, retry } = errorText(status);
  const heading = useRef<HTMLHeadingElement>(null);
  const inBrowser = status === 0;
  // What had the focus has gone with the page.
  useEffect(() => {
    if (inBrowser) heading.current?.focus();
  }, [inBrowser]);
  return (
    <section className="error-page page grid" data-status={status}>
      <div className="c1-7 stack">
        {status > 0 && <p className="label num">{status}</p>}
        <h1 ref={heading} tabIndex={inBrowser ? -1 : undefined}>
          {title}
        </h1>
        {isApplicationError(status) ? (
          <>
            {/* These exact words are the site's promise to whoever watches it: one text node. */}
            <p className="lede">{`Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information)`}</p>
            {digest && <p className="label num">{`Digest: ${digest}`}</p>}
          </>
        ) : (
          <p className="lede">{text}</p>
        )}
        {/* biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none */}
        <ul className="ways" role="list">
          {retry && (
            <li>
              {/* The document anew, past whatever state this page is in. */}
              {/* biome-ignore lint/a11y/useValidAnchor: an empty address is the document's own */}
              <a href="" data-reload="">
                Try again<span>Loads this page anew</span>
              </a>
            </li>
          )}
          <li>
            <Link to="/">First page{retry && <span>The rest of the site works</span>}</Link>
          </li>
          {!retry &&
            chrome.nav.map((entry) => (
              <li key={entry.path}>
                <Link to={entry.path}>{entry.label}</Link>
              </li>
            ))}
        </ul>
        {retry && (
          <p className="label">
            {digest ? 'If you call us about it, give us the digest above.' : 'If it does not help, call us.'} Reception{' '}
            <span className="num">{chrome.contact.phone}</span>.
          </p>
        )}
      </div>
      <Art status={status} />
    </section>
  );
}

function Art({ status }: { status: number }): ReactNode {
  if (status === 404) {
    return (
      <div className="c9-12">
        <GaugeBlocks />
        <p className="caption">A stack of gauge blocks. The next one is not in the set.</p>
      </div>
    );
  }
  if (status > 0 && status < 500) return null;
  return (
    <div className="c9-12">
      <DialIndicator />
      <p className="caption">Off zero.{status > 0 && ' The fault has been recorded.'}</p>
    </div>
  );
}
