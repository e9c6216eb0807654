import drawing from '@colonnade/mfe/styles/drawing.module.css';
import type { ReactNode } from 'react';
import { comb } from './paths.ts';

/** Frame, its anvil and spindle, sleeve and thimble, the turned part. */
const outline = [
  'M96 92H150V118C150 118 140 128 140 160A118 118 0 0 0 376 160C376 140 372 128 372 118V92H436',
  'M96 92V140H104C104 260 170 318 258 318S412 260 412 160V136H436V92M150 98H172V112H150M372 98H300V112H372',
  'M436 84H560V144H436ZM560 78L578 70H700V158H578L560 150ZM700 92H728V136H700M728 98H752V130H728',
  'M172 60h128v90H172z',
].join('');
const sleeve = [
  comb({ runs: [{ from: 446, to: 554, y: 114 }], step: 9, length: -14 }),
  comb({ runs: [{ from: 446, to: 536, y: 114 }], step: 45, length: -22 }),
  comb({ runs: [{ from: 450.5, to: 549.5, y: 114 }], step: 9, length: 10 }),
];
const thimble =
  'M560 78.6L578 74.6M560 80.2L570 76.4M560 82.8L570 79.4M560 86.4L570 83.4M560 90.9L578 88.3M560 96L570 94M560 101.7L570 100.3M560 107.8L570 107M560 120.3L570 121M560 126.3L570 127.7M560 132L570 134M560 137.1L578 139.7M560 141.6L570 144.6M560 145.2L570 148.6M560 147.8L570 151.6M560 149.5L578 153.4';
const knurl = [
  comb({ runs: [{ from: 596, to: 684, y: 71 }], step: 8, length: 86, width: 1.5 }),
  comb({ runs: [{ from: 732, to: 747, y: 98 }], step: 5, length: 32, width: 1.5 }),
];
const section = Array.from({ length: 9 }, (_, i) => `M${176 + 12 * i} 150l16-16`).join('');

/** A micrometer around a turned part. */
export function Micrometer(): ReactNode {
  return (
    <svg className={drawing.art} viewBox="95 40 659 300" aria-hidden="true">
      <path d={outline} />
      <path className={drawing['art-c']} d="M172 105H300" />
      <path className={drawing['art-t']} d={`M436 114H560M578 70V158M172 76H300M172 134H300${section}`} />
      <path className={drawing['art-s']} d={thimble} />
      {knurl.map((lines) => (
        <path key={lines.d} className={drawing['art-t']} {...lines} />
      ))}
      {sleeve.map((lines) => (
        <path key={lines.d} {...lines} />
      ))}
      <path className={drawing['art-a']} d="M556 114H584" />
    </svg>
  );
}
