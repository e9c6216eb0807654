import section from '@colonnade/mfe/styles/section.module.css';
import type { ReactNode } from 'react';
import type { HomeContent } from '../../content/schema.ts';
import { formatLength, position } from './logarithmic-scale.ts';
import s from './ranges.module.css';

const decadesMm = [0.001, 0.01, 0.1, 1, 10, 100];
/** Between the decades: 2 to 9 times each. */
const minorMarks = decadesMm
  .flatMap((decade) => [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `M${position(n * decade)} ${n === 5 ? 2 : 5}V9`))
  .join('');
/** Lines keep their width in pixels while a drawing takes that of its cell. An attribute: style sheets have it in drafts only. */
const pixels = { vectorEffect: 'non-scaling-stroke' } as const;

/** What is made, and from which length to which it measures: bars on one logarithmic scale, a column to a decade. */
export function Ranges({ heading, products }: HomeContent['ranges']): ReactNode {
  return (
    <section className={`${section.section} page`} aria-labelledby="ranges">
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
            <svg viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
              <path d={minorMarks} {...pixels} />
            </svg>
          </div>
        </div>
        {/* biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none */}
        <ul role="list">
          {products.map(({ name, purpose, fromMm, toMm }) => (
            <li className="grid" key={name}>
              <div className={s.name}>
                <h3>{name}</h3>
                <p>{purpose}</p>
              </div>
              <p className={s.text}>{`${formatLength(fromMm)} to ${formatLength(toMm)}`}</p>
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

/** A line at each end, and the beam between them. */
function Bar({ from, to }: { from: number; to: number }) {
  return (
    <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M${from} 0V20M${to} 0V20M${from} 8H${to}V12H${from}Z`} {...pixels} />
    </svg>
  );
}
