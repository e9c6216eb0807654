import type { ReactNode } from 'react';
import { hatching } from './strokes.ts';

/** Upper edge and height of each block of the stack, the lowest first. */
const blocks = [
  [260, 70],
  [214, 46],
  [184, 30],
  [168, 16],
  [159, 9],
] as const;

/** Gauge blocks wrung together on a surface plate. */
export function GaugeBlocks(): ReactNode {
  return (
    <svg className="art" fill="none" stroke="currentColor" viewBox="59 120 402 250" aria-hidden="true">
      {blocks.map(([y, height]) => (
        <path key={y} d={`M120 ${y}H340V${y + height}H120ZM340 ${y}l44-24v${height}l-44 24`} />
      ))}
      <path d="M120 159l44-24H384M60 330H460M60 330V356H460V330" />
      <path className="art-t" d={hatching(66, 356, 24)} />
      <path className="art-a" d="M116 159H70M116 330H70M84 161V328M84 161l-4 12M84 161l4 12M84 328l-4-12M84 328l4-12" />
      <g fontSize="17">
        <text x="136" y="301">
          25
        </text>
        <text x="136" y="243">
          10
        </text>
        <text x="136" y="205">
          5
        </text>
      </g>
    </svg>
  );
}
