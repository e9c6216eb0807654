import { Link } from '@colonnade/mfe';
import { Fragment, type ReactNode } from 'react';
import type { Chrome } from './chrome.ts';

/** Address, links to every part of the site, and the owner's note. */
export function Foot({ footer }: { footer: Chrome['footer'] }): ReactNode {
  return (
    <footer className="foot">
      <div className="page grid">
        <address>
          {footer.address.map((line, i) => (
            <Fragment key={line}>
              {i > 0 && <br />}
              {line}
            </Fragment>
          ))}
        </address>
        <nav className="foot-nav" aria-label="Footer">
          <ul>
            {footer.links.map((link) => (
              <li key={link.path}>
                <Link to={link.path}>{link.label}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className="foot-note">{footer.note}</p>
      </div>
    </footer>
  );
}
