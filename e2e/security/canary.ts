/** Watches a page for scripts that are not the site's. */
import { expect, type Page } from 'playwright/test';

/** Counts the calls of `__fired` in a page and what it loads next. Before the first page is opened. */
export async function setCanary(page: Page): Promise<() => number> {
  let fired = 0;
  page.on('dialog', (dialog) => {
    fired++;
    dialog.dismiss();
  });
  await page.exposeFunction('__fired', () => fired++);
  return () => fired;
}

/** What in a page's markup could run a script, beside the site's own. Runs in the browser. */
function foreignCode(markup: string | null): string[] {
  const page = markup === null ? document : new DOMParser().parseFromString(markup, 'text/html');
  const found: string[] = [];
  for (const script of page.querySelectorAll('script')) {
    const inert = ['importmap', 'application/json', 'application/ld+json'].includes(script.type);
    const own = script.getAttribute('src')?.startsWith('/_mfe/') && script.textContent === '';
    if (!inert && !own) found.push(script.outerHTML);
  }
  // The site's icon is a data: URL of its own.
  for (const element of page.querySelectorAll(':not(head > link[rel=icon])')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'srcdoc') found.push(element.outerHTML.slice(0, 200));
      if (!['href', 'src', 'action', 'formaction', 'data', 'xlink:href'].includes(name)) continue;
      const url = URL.parse(value, 'http://localhost');
      if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) || url.host.endsWith('evil.example'))
        found.push(`${name}=${value}`);
    }
  }
  for (const element of page.querySelectorAll('iframe, object, embed, base, meta[http-equiv=refresh], marquee, style:not(head style)'))
    found.push(element.outerHTML.slice(0, 200));
  return found;
}

/** A document that need not be shown for it: nothing in it could run. `blank` is a page without a policy. */
export async function expectInert(blank: Page, markup: string, what: string): Promise<void> {
  expect(await blank.evaluate(foreignCode, markup), what).toEqual([]);
}

/** Nothing ran and nothing could. */
export async function expectHarmless(page: Page, fired: () => number, what: string): Promise<void> {
  expect(await page.evaluate(foreignCode, null), what).toEqual([]);
  expect(fired(), what).toBe(0);
}
