import { Markdown } from '@colonnade/content/react';
import prose from '@colonnade/mfe/styles/prose.module.css';
import type { ReactNode } from 'react';
import content from '../../content/privacy.md';
import { sections } from '../sections.ts';
import s from './privacy.module.css';

const { introduction, parts } = sections(content.body);

/** The privacy policy, with its numbered sections listed beside it. */
export default function Privacy(): ReactNode {
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-9">{content.title}</h1>
        <p className="lede c1-8">{content.lede}</p>
      </div>
      <div className={`${s.page} page grid`}>
        <nav className={`${s.contents} c1-3`} aria-label="Sections">
          <ol>
            {parts.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={`${s.policy} c4-10`}>
          {introduction.length > 0 && (
            <div className={prose.prose}>
              <Markdown tree={introduction} />
            </div>
          )}
          {parts.map(({ id, heading, body }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{heading}</h2>
              <div className={prose.prose}>
                <Markdown tree={body} />
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
