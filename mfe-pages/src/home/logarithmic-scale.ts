/** Where a length lies on the scale from 1 µm to 1 m, in per cent of its width. */
export function position(mm: number): number {
  return Math.round(((Math.log10(mm) + 3) / 6) * 1e4) / 100;
}

/**
 * A length as an instrument maker writes it, figure and unit on one line.
 * @param place the axis counts hundredths of a millimetre in micrometres, a catalogue does not
 */
export function formatLength(mm: number, place: 'axis' | 'text' = 'text'): string {
  if (mm < (place === 'axis' ? 0.1 : 0.01)) return `${rounded(mm * 1000)}\u00a0µm`;
  return mm < 1000 ? `${mm}\u00a0mm` : `${rounded(mm / 1000)}\u00a0m`;
}

/** Without the tail that binary fractions leave: 0.007 × 1000 is 7.000000000000001. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
