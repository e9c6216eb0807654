import section from '@colonnade/mfe/styles/section.module.css';
import type { ReactNode } from 'react';
import type { CompanyContent } from '../../content/schema.ts';
import s from './history.module.css';

/** The ruler's divisions: one a year. */
const years = 60;
/** Divisions to a column of the grid. */
const perColumn = 5;

/** The company's years on the site's ruler, and what happened in them. */
export function History({ heading, from, events }: CompanyContent['history']): ReactNode {
  return (
    <section className={`${section.section} page`} aria-labelledby="history">
      <h2 id="history">{heading}</h2>
      <div className={s.years} aria-hidden="true">
        <div className={s.scale}>
          <div className="ruler" />
          <svg viewBox={`0 0 ${years} 44`} preserveAspectRatio="none" aria-hidden="true">
            <path d={[...new Set(events.map(({ year }) => `M${year - from} 12V44`))].join('')} vectorEffect="non-scaling-stroke" />
          </svg>
        </div>
        <div className={`${s.labels} grid`}>
          {Array.from({ length: years / perColumn + 1 }, (_, i) => from + perColumn * i).map((year) => (
            <span key={year}>{year}</span>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none */}
      <ol className={s.events} role="list">
        {events.map(({ year, text }) => (
          <li key={text}>
            <b className="num">{year}</b>
            {/* A space between them, for who reads the words alone; where the line begins it takes no room. */}
            {` ${text}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
