import type { Page, Request } from 'playwright/test';
import { pages } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

/**
 * What a first visit may cost, in kB (1000 bytes) as they are transferred, a little above what it costs. JavaScript is of
 * the page alone; what is loaded ahead when the browser has nothing to do counts among the requests.
 */
const budgets: Record<string, { requests: number; js: number; jsDecoded: number; html: number; htmlPacked: number }> = {
  '/': { requests: 12, js: 84.5, jsDecoded: 308, html: 31, htmlPacked: 8.9 },
  '/company': { requests: 9, js: 84.5, jsDecoded: 308, html: 25, htmlPacked: 7.7 },
  '/news': { requests: 9, js: 84.5, jsDecoded: 308, html: 28, htmlPacked: 8 },
  '/news/2026-11-05-ring-gauges': { requests: 9, js: 84.5, jsDecoded: 308, html: 20, htmlPacked: 7 },
  '/inquiry': { requests: 8, js: 97, jsDecoded: 345, html: 22, htmlPacked: 7 },
  '/privacy': { requests: 10, js: 84.5, jsDecoded: 308, html: 28, htmlPacked: 8.5 },
};

for (const { path } of pages) {
  test(`${path} keeps within its budget`, async ({ page, request }) => {
    const loaded = await visit(page, path);
    const budget = budgets[path] as (typeof budgets)[string];
    const js = loaded.files.filter(({ url, early }) => early && url.endsWith('.js'));
    const sum = (key: 'bytes' | 'decoded') => js.reduce((total, file) => total + file[key], 0) / 1000;
    const spent = {
      requests: loaded.files.length,
      js: sum('bytes'),
      jsDecoded: sum('decoded'),
      html: (await (await request.get(path)).body()).length / 1000,
      htmlPacked: (await packedBytes(page, path)) / 1000,
    };
    for (const [what, limit] of Object.entries(budget)) expect(spent[what as keyof typeof spent], what).toBeLessThanOrEqual(limit);
    const urls = loaded.files.map(({ url }) => url);
    expect(
      urls.filter((url, i) => urls.indexOf(url) !== i),
      'fetched twice',
    ).toEqual([]);
    expect(loaded.shift, 'layout shift').toBeLessThan(0.02);
  });
}

test('files are served as the build has packed them, for good', async ({ request }) => {
  const html = await (await request.get('/inquiry')).text();
  const modules = [...html.matchAll(/"(\/_mfe\/[^"]+\.js)"/g)].map(([, url]) => url as string);
  expect(modules.length).toBeGreaterThan(3);
  for (const url of new Set(modules)) {
    const headers = (await request.get(url, { headers: { 'Accept-Encoding': 'gzip, br' } })).headers();
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding'], url).toBe('br');
  }
});

interface Loaded {
  /** `early`: asked for before the page had loaded. */
  files: { url: string; bytes: number; decoded: number; early: boolean }[];
  /** The sum of all layout shifts. */
  shift: number;
}

/** A first visit, until the browser has nothing to load any more. */
async function visit(page: Page, path: string): Promise<Loaded> {
  const sizes: Promise<Loaded['files'][number]>[] = [];
  let early = true;
  page.once('load', () => {
    early = false;
  });
  const note = (request: Request) => sizes.push(sized(request, early));
  page.on('request', note);
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  page.off('request', note);
  const shift = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
  return { files: await Promise.all(sizes), shift };
}

async function sized(request: Request, early: boolean): Promise<Loaded['files'][number]> {
  const response = await request.response();
  const { responseBodySize } = await request.sizes();
  return { url: request.url(), bytes: responseBodySize, decoded: (await response?.body())?.length ?? 0, early };
}

/** Bytes of the document as a browser receives it. */
async function packedBytes(page: Page, path: string): Promise<number> {
  return page.evaluate(async (url) => {
    await (await fetch(url)).text();
    return (performance.getEntriesByName(new URL(url, location.href).href).at(-1) as PerformanceResourceTiming).encodedBodySize;
  }, path);
}
