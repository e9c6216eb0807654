/** Path data for the drawings: what repeats is computed, so that it is exact and costs few bytes. */

/** Hatching under a surface plate: lines of 16 units at 45°. */
export function hatching(x: number, y: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `M${x + 16 * i} ${y}l16-16`).join('');
}

/** Radial marks of a dial. @param lengthOf inner end of mark `i`, as a distance from the rim */
export function dialMarks(cx: number, cy: number, radius: number, count: number, lengthOf: (i: number) => number): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const [x, y] = around(cx, cy, radius, i / count);
    const [toX, toY] = around(cx, cy, radius - lengthOf(i), i / count);
    path += `M${x} ${y}L${toX} ${toY}`;
  }
  return path;
}

/** A point on a circle, rounded alike by every browser and server. @param turn 0 at twelve o'clock, 1 after one turn */
export function around(cx: number, cy: number, radius: number, turn: number): [number, number] {
  const angle = turn * 2 * Math.PI;
  return [round(cx + radius * Math.sin(angle)), round(cy - radius * Math.cos(angle))];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
