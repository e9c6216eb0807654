/**
 * Cuts the site's fonts out of their npm packages: the letters the site is written with, the weights it uses.
 * Run by Node: `node build/fonts.ts`, or by the shell's build. No font file is committed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);

/** All files together. A visitor of pages in western European languages loads the first two, 37 kB. */
export const fontBudgetBytes = 45_000;

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
/** Latin-1 and the punctuation of careful typesetting. The sans has no micro sign: its metric-matched stand-in shows one. */
const latin = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœ\u2009\u202f‐‑–—‘’‚“”„†•…′″‹›€™−`;
/** Polish, Czech, Slovak and Hungarian: all within the `unicode-range` of src/styles/fonts.css. */
const central = 'ĄąĆćĘęŁłŃńŚśŹźŻżŐőŰűČčĎďĚěŇňŘřŠšŤťŮůŽž';

interface Cut {
  source: string;
  letters: string;
  /** A number pins an axis, a range keeps it variable. */
  axes: Record<string, number | { min: number; max: number }>;
}

const cuts: Record<string, Cut> = {
  'stix-two-text': {
    source: 'stix-two-text/files/stix-two-text-latin-wght-normal.woff2',
    letters: latin,
    axes: { wght: { min: 400, max: 600 } },
  },
  'instrument-sans-narrow': {
    source: 'instrument-sans/files/instrument-sans-latin-standard-normal.woff2',
    letters: latin,
    axes: { wght: 500, wdth: 82 },
  },
  // One weight between text (400) and headings (450): a variable cut of these few letters would cost 2 kB more.
  'stix-two-text-ext': { source: 'stix-two-text/files/stix-two-text-latin-ext-wght-normal.woff2', letters: central, axes: { wght: 425 } },
  'instrument-sans-narrow-ext': {
    source: 'instrument-sans/files/instrument-sans-latin-ext-standard-normal.woff2',
    letters: central,
    axes: { wght: 500, wdth: 82 },
  },
};

/** Kerning, ligatures, tabular and lining figures, and what composes letters. */
const features = ['kern', 'liga', 'tnum', 'lnum', 'ccmp', 'locl'];
/** Copyright, licence and its address stay in the files, as the SIL Open Font License asks. */
const names = [0, 1, 2, 3, 4, 5, 6, 13, 14];

/**
 * Writes `{name}.woff2` of every cut into a folder; does nothing when sources and recipe are those of the files there.
 * @throws where the files together exceed the budget
 */
export async function buildFonts(outDir: string): Promise<void> {
  const sources = new Map<string, Buffer>();
  const stamp = createHash('sha256').update(await readFile(import.meta.filename));
  for (const [name, cut] of Object.entries(cuts)) {
    const source = await readFile(require.resolve(`@fontsource-variable/${cut.source}`));
    sources.set(name, source);
    stamp.update(source);
  }
  const stampFile = path.join(outDir, 'stamp');
  const wanted = stamp.digest('hex');
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === wanted) return;

  await mkdir(outDir, { recursive: true });
  let bytes = 0;
  for (const [name, { letters, axes }] of Object.entries(cuts)) {
    const options = {
      targetFormat: 'woff2',
      variationAxes: axes,
      keepFeatures: features,
      preserveNameIds: names,
      noHinting: true,
    } as const;
    const font = await subsetFont(sources.get(name) as Buffer, letters, options);
    bytes += font.length;
    await replaceFile(path.join(outDir, `${name}.woff2`), font);
  }
  if (bytes > fontBudgetBytes) throw new Error(`fonts: ${bytes} bytes, more than the ${fontBudgetBytes} allowed`);
  await replaceFile(stampFile, wanted);
}

/** Two builds may run at once: neither may read half a file. */
async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildFonts(path.join(import.meta.dirname, '../dist/fonts'));
