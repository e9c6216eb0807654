/** The part of subset-font that `fonts.ts` uses; the package has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    letters: string,
    options: {
      targetFormat: 'woff2';
      variationAxes: Record<string, number | { min: number; max: number }>;
      keepFeatures: string[];
      preserveNameIds: readonly number[];
      noHinting: boolean;
    },
  ): Promise<Buffer>;
}
