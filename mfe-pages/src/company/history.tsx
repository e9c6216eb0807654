import type { ReactNode } from 'react';
import '@colonnade/mfe/styles/section.css';
import type { CompanyContent } from '../../content/schema.ts';
import s from './history.module.css';

/** The ruler's divisions: one a year. */
const years = 60;
/** Divisions to a column of the grid. */
const perColumn = 5;

/** The company's years on the site's ruler, and what happened in them. */
export function History({ heading, from, events }: CompanyContent['history']): ReactNode {
  return (
    <section className="section page" aria-labelledby="history">
      <h2 id="history">{heading}</h2>
      <div className={s.years} aria-hidden="true">
        <div className={s.scale}>
          <div className="ruler" />
          <svg aria-hidden="true">
            {[...new Set(events.map(({ year }) => year))].map((year) => (
              <line key={year} x1={place(year - from)} x2={place(year - from)} y1="12" y2="44" />
            ))}
          </svg>
        </div>
        <div className={`${s.labels} grid`}>
          {Array.from({ length: years / perColumn + 1 }, (_, i) => from + perColumn * i).map((year) => (
            <span key={year}>{year}</span>
          ))}
        </div>
      </div>
      <ol className={s.events}>
        {events.map(({ year, text }) => (
          <li key={text}>
            <b className="num">{year}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function place(division: number): string {
  return `${((division / years) * 100).toFixed(3)}%`;
}
