import { Link, type NavEntry } from '@colonnade/mfe';
import type { ReactNode } from 'react';
import { Wordmark } from './wordmark.tsx';

/** Wordmark, main navigation and the site's signature: the ruler that is the page's grid. */
export function Masthead({ name, nav, path }: { name: string; nav: NavEntry[]; path: string }): ReactNode {
  return (
    <header className="masthead">
      <div className="page">
        <div className="grid">
          <Link className="brand" to="/" aria-label={`${name}, home`}>
            <Wordmark />
          </Link>
          <nav className={`nav ${roomFor(nav.length)}`} aria-label="Main">
            <ul>
              {nav.map((entry) => (
                <li key={entry.path}>
                  <Link to={entry.path} aria-current={current(entry.path, path)}>
                    {entry.label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className="ruler" />
      </div>
    </header>
  );
}

/** Up to three entries share one row on a phone; more than four get a row of their own on a wide screen. */
function roomFor(entries: number): string {
  return entries <= 3 ? 'nav-short' : entries > 4 ? 'nav-long' : '';
}

/** `page` on the entry's own page, `true` on one below it: the section is marked in both cases. */
function current(entry: string, path: string): 'page' | 'true' | undefined {
  if (path === entry) return 'page';
  return path.startsWith(`${entry}/`) ? 'true' : undefined;
}
