import type { ReactNode } from 'react';
import '@colonnade/mfe/styles/section.css';
import type { HomeContent } from '../../content/schema.ts';
import { formatLength, position } from './logarithmic-scale.ts';
import s from './ranges.module.css';

const decadesMm = [0.001, 0.01, 0.1, 1, 10, 100];
/** Between the decades: 2 to 9 times each. */
const minor = decadesMm.flatMap((decade) => [2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ mm: n * decade, half: n === 5 })));

/** What is made, and from which length to which it measures: bars on one logarithmic scale, a column to a decade. */
export function Ranges({ heading, products }: HomeContent['ranges']): ReactNode {
  return (
    <section className="section page" aria-labelledby="ranges">
      <div className="grid">
        <h2 className="c1-6" id="ranges">
          {heading}
        </h2>
      </div>
      <div className={s.ranges}>
        <div className="grid" aria-hidden="true">
          <div className={`${s.axis} c7-12`}>
            <ol>
              {decadesMm.map((mm) => (
                <li key={mm}>{formatLength(mm, 'axis')}</li>
              ))}
            </ol>
            <svg aria-hidden="true" focusable="false">
              {minor.map(({ mm, half }) => (
                <line key={mm} x1={position(mm)} x2={position(mm)} y1={half ? 2 : 5} y2="9" />
              ))}
            </svg>
          </div>
        </div>
        <ul>
          {products.map(({ name, purpose, fromMm, toMm }) => (
            <li className="grid" key={name}>
              <div className={s.name}>
                <h3>{name}</h3>
                <p>{purpose}</p>
              </div>
              <p className={s.text}>
                {formatLength(fromMm)} to {formatLength(toMm)}
              </p>
              <div className={`${s.cell} c7-12`}>
                <Bar from={position(fromMm)} to={position(toMm)} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Bar({ from, to }: { from: string; to: string }) {
  return (
    <svg aria-hidden="true" focusable="false">
      {[...decadesMm, 1000].map((mm) => (
        <line key={mm} className={s.decade} x1={position(mm)} x2={position(mm)} y1="0" y2="100%" />
      ))}
      <svg y="50%" aria-hidden="true">
        <line className={s.bar} x1={from} x2={to} />
        <line x1={from} x2={from} y1="-10" y2="10" />
        <line x1={to} x2={to} y1="-10" y2="10" />
      </svg>
    </svg>
  );
}
