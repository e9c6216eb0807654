import { test as base, expect, type Page } from 'playwright/test';

/** What a visitor's browser complained about. */
export interface Complaints {
  /** Errors and warnings of the console, uncaught exceptions, and reports of the Content-Security-Policy. */
  list: string[];
}

interface Fixtures {
  /** Fails the test at its end when the page complained; a test that provokes one empties the list. */
  complaints: Complaints;
  /** Opens a page and waits until React has taken it over. */
  open(path: string): Promise<void>;
}

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: Complaints = { list: [] };
      await watch(page, complaints);
      await use(complaints);
      expect(complaints.list, 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],
  open: async ({ page }, use) => {
    await use(async (path) => {
      await page.goto(path);
      await hydrated(page);
    });
  },
});

export { expect } from 'playwright/test';

/** React has taken the page over. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

async function watch(page: Page, complaints: Complaints): Promise<void> {
  // Tests put other lists in its place: the one that is there when it happens.
  const complain = (line: string) => complaints.list.push(line);
  page.on('console', (message) => {
    // Pages and their data answer so where a test asks for it; a file of ours that is not there is a fault.
    const refused = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
    if (refused && !new URL(message.location().url).pathname.startsWith('/_mfe/')) return;
    if (['error', 'warning'].includes(message.type())) complain(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`exception: ${error.message}`));
  await page.exposeFunction('__violation', (report: string) => complain(`policy: ${report}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (window as unknown as { __violation(report: string): void }).__violation(
        `${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      );
    });
  });
}
