import drawing from '@colonnade/mfe/styles/drawing.module.css';
import type { ReactNode } from 'react';
import { circle, comb, tidy } from './paths.ts';

/** 16 units are 1 mm on the main scale; its zero line. */
const mm = 16;
const zero = 190;
/** Main lines that can be seen, first and last: on the beam, and through the slider's window. Line 37 is drawn apart. */
const beam = [
  { first: 0, last: 21, y: 178 },
  { first: 46, last: 149, y: 178 },
];
const opening = [
  { first: 23, last: 36, y: 122 },
  { first: 38, last: 44, y: 122 },
];
/** The vernier divides 19 mm by 20 and stands at 24.65 mm: its line 13 meets a main line. */
const vernier = { zero: 584.4, step: 15.2, meets: 13 };
const meeting = vernier.zero + vernier.step * vernier.meets;

/** Teeth of every `every`th line. */
const mainComb = (every: number, length: number) => {
  const runs = [...beam, ...opening].flatMap(({ first, last, y }) => {
    const from = Math.ceil(first / every) * every;
    const to = Math.floor(last / every) * every;
    return from > to ? [] : [{ from: zero + mm * from, to: zero + mm * to, y }];
  });
  return comb({ runs, step: mm * every, length: -length });
};
const vernierComb = (every: number, length: number, lines: [number, number][]) =>
  comb({
    runs: lines.map(([from, to]) => ({ from: vernier.zero + vernier.step * from, to: vernier.zero + vernier.step * to, y: 122 })),
    step: vernier.step * every,
    length,
  });
/** The longer lines lie on the shorter ones. */
const scales = [
  mainComb(1, 20),
  mainComb(5, 30),
  mainComb(10, 40),
  vernierComb(1, 18, [
    [0, vernier.meets - 1],
    [vernier.meets + 1, 20],
  ]),
  vernierComb(2, 26, [[0, 20]]),
  vernierComb(10, 32, [[0, 20]]),
];
const knurl = comb({ runs: [{ from: 784.4, to: 838.4, y: 215 }], step: 6, length: 8, width: 1.5 });
/** Centre of the bearing ring, and six bolt holes around it. */
const bearing = [347.2, 381.2] as const;
const holes = [
  [468.5, 451.2],
  [347.2, 521.2],
  [226, 451.2],
  [226, 311.2],
  [347.2, 241.2],
  [468.5, 311.2],
] as const;
const outline = [
  // Beam, fixed jaw, slider, its window and knob.
  'M916.4 70H2700M916.4 178H2700M54 70H544.4M150 178H544.4',
  'M54 70V218C54 288 88 328 110 419.2L136 439.2H150V178M150 70V16L134 2L90 70',
  'M544.4 178V439.2H558.4L584.4 419.2C606.4 328 640.4 298 654.4 214H916.4V44H614.4L560.4 2L544.4 16V178',
  'M552.4 70H908.4V122H552.4ZM780.4 214v10h64v-10M720.4 44v-8h8v-14h-12v-12h40v12h-12v14h8v8',
  circle(...bearing, 197.2),
  circle(...bearing, 90.7),
  ...holes.map(([x, y]) => circle(x, y, 13)),
].join('');
const thin = ['M916.4 116H2700M916.4 124H2700M132 198V435.2M562.4 218V435.2', circle(...bearing, 183.2), circle(...bearing, 80.7)].join('');
/** Where a centimetre's figure stands on the main scale: right of its line. */
const besideLine = (cm: number) => zero + 10 * mm * cm + 4;
/** Figures of one digit, each at its line: on the beam, in the slider's window, on the vernier. */
const figures = [
  { y: 148, digits: [0, 1, 2, 5, 6, 7, 8, 9], at: besideLine },
  { y: 96, digits: [3, 4], at: besideLine },
  { y: 170, digits: [0, 2, 4, 6, 8], at: (n: number) => tidy(vernier.zero + 2 * vernier.step * n - 3.6) },
];

/** A vernier calliper on a bearing ring, drawn to scale; it reads 24.65 mm. The beam runs on to the right of the view box. */
export function Calliper(): ReactNode {
  return (
    <svg className={drawing.art} viewBox="54 0 1640 618" aria-hidden="true">
      <path d={outline} />
      <path className={drawing['art-t']} d={thin} />
      <path className={drawing['art-t']} {...knurl} />
      {scales.map((scale) => (
        <path key={scale.d} {...scale} />
      ))}
      <path className={drawing['art-a']} strokeWidth="3" d={`M${meeting} 88V158`} />
      <path className={drawing['art-a']} d={`M${meeting} 158V354`} />
      <path className={drawing['art-c']} strokeDasharray="22 5 4 5" d="M124 381.2H570.4M347.2 166V604.4" />
      <path className={drawing['art-c']} strokeDasharray="14 4 3 4" d={circle(...bearing, 140)} />
      <g fontSize="19">
        {/* A text can give each of its letters a place of its own. A row each: all in one would be the largest on the page, and its LCP. */}
        {figures.map(({ y, digits, at }) => (
          <text key={y} x={digits.map(at).join(' ')} y={y}>
            {digits.join('')}
          </text>
        ))}
        {[10, 11, 12, 13, 14].map((cm) => (
          <text key={cm} x={besideLine(cm)} y="148">
            {cm}
          </text>
        ))}
        <text x={tidy(vernier.zero + 20 * vernier.step - 6)} y="170">
          10
        </text>
      </g>
    </svg>
  );
}
