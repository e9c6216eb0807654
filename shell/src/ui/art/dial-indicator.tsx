import type { ReactNode } from 'react';
import { around, dialMarks, hatching } from './strokes.ts';

const marks = dialMarks(220, 200, 128, 100, (i) => (i % 10 === 0 ? 16 : i % 5 === 0 ? 10 : 6));
const figures = [0, 10, 20, 30, 40, 50, 40, 30, 20, 10];

/** A dial indicator on a surface plate that does not read zero. */
export function DialIndicator(): ReactNode {
  return (
    <svg className="art" fill="none" stroke="currentColor" viewBox="39 0 362 520" aria-hidden="true">
      <circle cx="220" cy="200" r="150" />
      <circle cx="220" cy="200" r="136" />
      <path className="art-s" d={marks} />
      <g fontSize="15" textAnchor="middle">
        {figures.map((figure, i) => {
          const [x, y] = around(220, 205, 98, i / figures.length);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: figures stand still, and most of them twice
            <text key={i} x={x} y={y}>
              {figure}
            </text>
          );
        })}
      </g>
      <path className="art-a" strokeWidth="3" d="M205.5 230.8L272 89.6" />
      <circle className="art-f" cx="220" cy="200" r="8" />
      <circle className="art-t" cx="220" cy="252" r="24" />
      <path d="M220 252l12-16M204 50V26H236V50M212 26V8H228V26M200 349V410H240V349M213 410V452H227V410M213 452A7 7 0 0 0 227 452" />
      <path d="M40 460H150L168 478H300L318 460H400M40 460V508H400V460" />
      <path className="art-t" d={hatching(48, 508, 22)} />
      <path className="art-c" d="M220 0V520" />
    </svg>
  );
}
