import type { ReactNode } from 'react';
import '@colonnade/mfe/styles/drawing.css';

/** Vertical lines from one edge, evenly spaced. @param lengthOf signed length of line `i` */
function comb(x: number, y: number, step: number, count: number, lengthOf: (i: number) => number): string {
  return Array.from({ length: count }, (_, i) => `M${x + step * i} ${y}v${lengthOf(i)}`).join('');
}

const sleeve = comb(446, 114, 9, 13, (i) => (i % 5 === 0 ? -22 : -14)) + comb(450.5, 114, 9, 12, () => 10);
const thimble =
  'M560 78.6L578 74.6M560 80.2L570 76.4M560 82.8L570 79.4M560 86.4L570 83.4M560 90.9L578 88.3M560 96L570 94M560 101.7L570 100.3M560 107.8L570 107M560 120.3L570 121M560 126.3L570 127.7M560 132L570 134M560 137.1L578 139.7M560 141.6L570 144.6M560 145.2L570 148.6M560 147.8L570 151.6M560 149.5L578 153.4';
const knurl = comb(596, 71, 8, 12, () => 86) + comb(732, 98, 5, 4, () => 32);
const section = Array.from({ length: 9 }, (_, i) => `M${176 + 12 * i} 150l16-16`).join('');

/** A micrometer around a turned part. */
export function Micrometer(): ReactNode {
  return (
    <svg className="art" viewBox="95 40 659 300" aria-hidden="true" focusable="false">
      <path d="M96 92H150V118C150 118 140 128 140 160A118 118 0 0 0 376 160C376 140 372 128 372 118V92H436" />
      <path d="M96 92V140H104C104 260 170 318 258 318S412 260 412 160V136H436V92M150 98H172V112H150M372 98H300V112H372" />
      <path className="art-c" d="M172 105H300" />
      <path d="M436 84H560V144H436ZM560 78L578 70H700V158H578L560 150ZM700 92H728V136H700M728 98H752V130H728" />
      <path className="art-t" d={`M436 114H560M578 70V158M172 76H300M172 134H300${knurl}${section}`} />
      <path className="art-s" d={sleeve + thimble} />
      <path className="art-a" d="M556 114H584" />
      <rect x="172" y="60" width="128" height="90" />
    </svg>
  );
}
