import { findBrowser } from '@colonnade/stack/browser';
import type { Site } from '@colonnade/stack/site';
import { type Browser, chromium } from 'playwright';
import { withSite } from '../faults/site.ts';
import { somePage } from '../load/some-page.ts';
import { printTable } from '../table.ts';

/** By then what a page fetches of its own accord has been asked for. */
const settleMs = 1000;
/** More requests than a copy needs to be packed as well as it can be. */
const warmVisits = 12;

interface Bytes {
  transferred: number;
  decoded: number;
  requests: number;
}
type Kind = 'HTML' | 'CSS' | 'JavaScript' | 'fonts' | 'other';
const kinds: Record<string, Kind> = { Document: 'HTML', Stylesheet: 'CSS', Script: 'JavaScript', Font: 'fonts' };

/** What a browser that has nothing fetches for each page. No target here: `e2e/journeys/budgets.test.ts` keeps the budgets. */
export async function browserBytes(): Promise<boolean> {
  const executablePath = await findBrowser(console.log);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args });
  try {
    await withSite({ FLOOD_LIMIT: '0' }, (site) => print(browser, site));
  } finally {
    await browser.close();
  }
  return true;
}

async function print(browser: Browser, { origin }: Site): Promise<void> {
  const rows: string[][] = [];
  for (const path of ['/', '/company', '/news', await somePage(origin), '/inquiry', '/privacy']) {
    for (let i = 0; i < warmVisits; i++) await (await fetch(origin + path, { headers: { 'Accept-Encoding': 'br' } })).arrayBuffer();
    const { by, inlineCss } = await coldLoad(browser, origin + path);
    const of = (kind: Kind) => by.get(kind) ?? { transferred: 0, decoded: 0, requests: 0 };
    const both = ({ transferred, decoded }: Bytes) => (decoded === 0 ? '–' : `${kb(transferred)} / ${kb(decoded)}`);
    const all = [...by.values()].reduce((sum, { requests }) => sum + requests, 0);
    rows.push([
      path.slice(0, 32),
      both(of('HTML')),
      kb(inlineCss),
      both(of('JavaScript')),
      both(of('fonts')),
      both(of('other')),
      String(all),
    ]);
  }
  console.log('  kB transferred (with headers) / decoded; the styles are in the document');
  printTable(['page, nothing cached', 'HTML', 'of it CSS', 'JavaScript', 'fonts', 'other', 'requests'], rows);
}

async function coldLoad(browser: Browser, url: string): Promise<{ by: Map<Kind, Bytes>; inlineCss: number }> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    const by = new Map<Kind, Bytes>();
    const kindOf = new Map<string, Kind>();
    const entry = (requestId: string) => by.get(kindOf.get(requestId) as Kind);
    devTools.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (!response.url.startsWith('http')) return;
      const kind = kinds[type] ?? 'other';
      kindOf.set(requestId, kind);
      const one = by.get(kind) ?? { transferred: 0, decoded: 0, requests: 0 };
      by.set(kind, { ...one, requests: one.requests + 1 });
    });
    devTools.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const one = entry(requestId);
      if (one) one.decoded += dataLength;
    });
    devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = entry(requestId);
      if (one) one.transferred += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForLoadState('networkidle');
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const inlineCss = await page.evaluate(() =>
      [...document.querySelectorAll('style')].reduce((sum, { textContent }) => sum + new Blob([textContent ?? '']).size, 0),
    );
    return { by, inlineCss };
  } finally {
    await context.close();
  }
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
