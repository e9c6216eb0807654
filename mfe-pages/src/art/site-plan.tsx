import drawing from '@colonnade/mfe/styles/drawing.module.css';
import type { ReactNode } from 'react';

const shore = 'c90-14 120 20 190 12s110-48 182-36 98 36 188 14 100-44 160-34';
const outline = [
  `M0 250${shore}`,
  // Roads.
  'M0 96C120 84 210 120 330 104S560 40 720 58M0 106C120 94 210 130 330 114S560 50 720 68',
  'M210 0C214 50 226 90 244 132S300 196 318 222M222 0C226 50 238 88 256 130S312 194 330 220',
  'M248 128C320 150 400 152 480 140M254 138C324 160 404 162 482 150',
  // Where north is, and the scale.
  'M680 150V108M680 108l-7 14M680 108l7 14M440 330H640M440 330v-10M490 330v-6M540 330v-10M590 330v-6M640 330v-10',
].join('');
const thin = [
  // Depth lines of the water, from the shore on.
  ...[13, 26, 39, 52].map((down) => `M0 ${250 + down}${shore}`),
  // Houses.
  'M284 76h78v26h-78zM374 70h36v20h-36zM120 150h60v36h-60zM60 160h40v30h-40zM380 176h44v28h-44zM600 110h56v34h-56zM150 36h40v28h-40z',
].join('');

/**
 * Where the company is: water, roads, station, works. Where it is given another shape than its own, it shows its right side.
 * @param here name of the works
 * @param station name of the station
 */
export function SitePlan({ here, station }: { here: string; station: string }): ReactNode {
  return (
    <svg className={drawing.art} viewBox="0 0 720 360" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
      <path d={outline} />
      <path className={drawing['art-t']} d={thin} />
      <path className={drawing['art-a']} d="M474 114l88-18 14 62-40 9 6 26-48 10z" />
      <g fontSize="16">
        <text x="440" y="350">
          0
        </text>
        <text x="528" y="350">
          100
        </text>
        <text x="626" y="350">
          200 m
        </text>
        <text x="675" y="170">
          N
        </text>
        <text x="496" y="147">
          {here}
        </text>
        <text x="290" y="94">
          {station}
        </text>
      </g>
    </svg>
  );
}
