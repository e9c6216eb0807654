/** A comb as one line across all its teeth, dashed: attributes of a `<path>`. */
export interface Comb {
  d: string;
  strokeWidth: number;
  strokeDasharray: string;
}

/**
 * Vertical teeth at even distances, as on a scale. Drawn tooth by tooth they were the heaviest part of the page.
 * @param runs where teeth stand, x of the first and of the last; `y` is where they begin
 * @param length downward; negative: upward
 */
export function comb(o: { runs: { from: number; to: number; y: number }[]; step: number; length: number; width?: number }): Comb {
  const { runs, step, length, width = 1.25 } = o;
  return {
    d: runs.map(({ from, to, y }) => `M${tidy(from - width / 2)} ${tidy(y + length / 2)}H${tidy(to + width / 2)}`).join(''),
    strokeWidth: Math.abs(length),
    strokeDasharray: `${width} ${tidy(step - width)}`,
  };
}

/** A circle as path data: drawings of few elements are laid out sooner. It begins on the right and goes clockwise, as `<circle>` does. */
export function circle(cx: number, cy: number, r: number): string {
  return `M${tidy(cx + r)} ${cy}a${r} ${r} 0 1 1 ${-2 * r} 0a${r} ${r} 0 1 1 ${2 * r} 0z`;
}

/** A thousandth of a unit is less than any screen shows. */
export function tidy(value: number): number {
  return Math.round(value * 1000) / 1000;
}
