import type { Page } from 'playwright/test';

/** The visitor has asked for little to be loaded: nothing is loaded ahead. */
export async function saveData(page: Page, value = true): Promise<void> {
  await page.addInitScript((saving) => Object.defineProperty(navigator, 'connection', { value: { saveData: saving } }), value);
}

/** Path and query of every request from now on that matches. */
export function requestsOf(page: Page, pattern: RegExp): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pattern.test(pathname + search)) urls.push(pathname + search);
  });
  return urls;
}
