import type { ReactNode } from 'react';
import '@colonnade/mfe/styles/drawing.css';

/** 16 units are 1 mm on the main scale; its zero line. */
const mm = 16;
const zero = 190;
/** The slider hides the main scale but for a window, whose lines end higher. */
const slider = { from: 530, to: 916.4, windowFrom: 552.4, windowTo: 908.4 };
/** The vernier divides 19 mm by 20 and stands at 24.65 mm: its line 13 meets a main line. */
const vernier = { zero: 584.4, step: 15.2, meets: 13 };

const main = Array.from({ length: 150 }, (_, i) => ({ i, x: zero + mm * i })).filter(
  ({ x }) => x < slider.from || x > slider.to || (x > slider.windowFrom && x < slider.windowTo),
);
const edge = (x: number) => (x > slider.windowFrom && x < slider.windowTo ? 122 : 178);
const meeting = vernier.zero + vernier.step * vernier.meets;

const mainLines = main
  .filter(({ x }) => x !== meeting)
  .map(({ i, x }) => `M${x} ${edge(x)}v-${i % 10 === 0 ? 40 : i % 5 === 0 ? 30 : 20}`)
  .join('');
const vernierLines = Array.from({ length: 21 }, (_, i) => i)
  .filter((i) => i !== vernier.meets)
  .map((i) => `M${tenth(vernier.zero + vernier.step * i)} 122v${i % 10 === 0 ? 32 : i % 2 === 0 ? 26 : 18}`)
  .join('');
const knurl = Array.from({ length: 10 }, (_, i) => `M${784.4 + 6 * i} 215v8`).join('');
/** Six bolt holes on a circle. */
const holes = [
  [468.5, 451.2],
  [347.2, 521.2],
  [226, 451.2],
  [226, 311.2],
  [347.2, 241.2],
  [468.5, 311.2],
] as const;

/** A vernier calliper on a bearing ring, drawn to scale; it reads 24.65 mm. The beam runs on to the right of the view box. */
export function Calliper(): ReactNode {
  return (
    <svg className="art" viewBox="54 0 1640 618" aria-hidden="true" focusable="false">
      <path d="M916.4 70H2700M916.4 178H2700M54 70H544.4M150 178H544.4" />
      <path className="art-t" d="M916.4 116H2700M916.4 124H2700" />
      <path d="M54 70V218C54 288 88 328 110 419.2L136 439.2H150V178M150 70V16L134 2L90 70" />
      <path d="M544.4 178V439.2H558.4L584.4 419.2C606.4 328 640.4 298 654.4 214H916.4V44H614.4L560.4 2L544.4 16V178" />
      <path className="art-t" d={`M132 198V435.2M562.4 218V435.2${knurl}`} />
      <path d="M552.4 70H908.4V122H552.4ZM780.4 214v10h64v-10M720.4 44v-8h8v-14h-12v-12h40v12h-12v14h8v8" />
      <path className="art-s" d={mainLines + vernierLines} />
      <path className="art-a" strokeWidth="3" d={`M${meeting} 88V158`} />
      <path className="art-a" d={`M${meeting} 158V354`} />
      <circle cx="347.2" cy="381.2" r="197.2" />
      <circle className="art-t" cx="347.2" cy="381.2" r="183.2" />
      <circle cx="347.2" cy="381.2" r="90.7" />
      <circle className="art-t" cx="347.2" cy="381.2" r="80.7" />
      {holes.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="13" />
      ))}
      <path className="art-c" strokeDasharray="22 5 4 5" d="M124 381.2H570.4M347.2 166V604.4" />
      <circle className="art-c" strokeDasharray="14 4 3 4" cx="347.2" cy="381.2" r="140" />
      <g fontSize="19">
        {main
          .filter(({ i }) => i % 10 === 0)
          .map(({ i, x }) => (
            <text key={i} x={x + 4} y={edge(x) - (edge(x) === 178 ? 30 : 26)}>
              {i / 10}
            </text>
          ))}
        {[0, 2, 4, 6, 8, 10].map((figure) => (
          <text key={figure} x={tenth(vernier.zero + 2 * vernier.step * figure - (figure === 10 ? 6 : 3.6))} y="170">
            {figure}
          </text>
        ))}
      </g>
    </svg>
  );
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
