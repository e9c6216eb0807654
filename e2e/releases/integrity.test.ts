import type { Page, Route } from 'playwright/test';
import { type Complaints, expect, hydrated, test } from '../support/test.ts';

/** The page whose file is tampered with, and one of another microfrontend that links to it. */
const [target, before] = ['/probe-v1', '/probe-enhanced'];
const scripts = {
  container: /\/_mfe\/mfe-probe-v1\/[^/]+\/remote\.\w+\.js$/,
  chunk: /\/_mfe\/mfe-probe-v1\/[^/]+\/probe\.\w+\.js$/,
};
const styleSheet = /\/_mfe\/mfe-probe-v1\/[^/]+\/probe\.\w+\.css$/;
const script = ';globalThis.tampered = true;';
const style = 'h1{outline:9px solid red}';

/** Changes what comes over the network, as a cache or a server in between could. @returns how often it did */
async function change(page: Page, url: RegExp | string, edit: (text: string, headers: Record<string, string>) => string) {
  const changed = { times: 0 };
  await page.route(url, async (route: Route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const body = edit(await response.text(), headers);
    changed.times++;
    await route.fulfill({ response, headers, body });
  });
  return changed;
}

/** Takes all that could tell a changed file out of the documents and out of the set table. */
async function withoutIntegrity(page: Page): Promise<void> {
  // The document that is open knows what the table should be, and may just be fetching it.
  await page.goto('about:blank');
  await change(page, /\/probe-(v1|enhanced)(\/later)?$/, (html) =>
    html
      .replace(/<script type="importmap">.*?<\/script>/, '')
      .replaceAll(/ integrity="[^"]*"/g, '')
      .replace(/"integrity":"[^"]*",/, ''),
  );
  await change(page, /\/_mfe\/sets\//, (json) => JSON.stringify({ ...JSON.parse(json), integrity: {} }));
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const ran = (page: Page) => page.evaluate(() => 'tampered' in globalThis);
const outline = (page: Page) => heading(page).evaluate((element) => getComputedStyle(element).outlineWidth);

/** Comes to the page from one of another microfrontend. */
async function meetLater(page: Page, open: (path: string) => Promise<void>): Promise<void> {
  await open(before);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.getByRole('main').getByRole('link', { name: 'v1' }).click();
  await expect(heading(page)).toHaveText(`Probe ${target}`);
}
/** The document has given up on its code: had it run, it would have by now. */
async function blocked(complaints: Complaints): Promise<void> {
  await expect.poll(() => complaints.list).toContainEqual(expect.stringContaining('exception: '));
  expect(complaints.list.join('\n')).toContain("Failed to find a valid digest in the 'integrity' attribute");
}
const sameDocument = (page: Page) => page.evaluate(() => 'kept' in window);
/** What was changed does not run where the page is met later: the document is loaded instead. */
async function runsOnlyUnchecked(
  page: Page,
  open: (path: string) => Promise<void>,
  { complaints, changed }: { complaints: Complaints; changed: { times: number } },
): Promise<void> {
  await meetLater(page, open);
  await blocked(complaints);
  expect(changed.times).toBeGreaterThan(0);
  expect([await ran(page), await sameDocument(page)]).toEqual([false, false]);
  complaints.list = [];

  await withoutIntegrity(page);
  await meetLater(page, open);
  expect([await ran(page), await sameDocument(page)], 'the control: without integrity it runs').toEqual([true, true]);
}

for (const [kind, url] of Object.entries(scripts)) {
  test(`a tampered ${kind} does not run on first load; the page can be read, and leads on`, async ({ page, open, complaints }) => {
    const changed = await change(page, url, (text) => text + script);
    await page.goto(target);
    await blocked(complaints);
    expect(changed.times).toBeGreaterThan(0);
    await expect(heading(page)).toHaveText(`Probe ${target}`);
    expect([await ran(page), await page.locator('html[data-hydrated]').count()]).toEqual([false, 0]);
    await page.getByRole('main').getByRole('link', { name: 'enhanced' }).click();
    await expect(heading(page)).toHaveText(`Probe ${before}`);
    await hydrated(page);
    complaints.list = [];

    await withoutIntegrity(page);
    await open(target);
    expect(await ran(page), 'the control: without integrity it runs').toBe(true);
  });

  test(`a tampered ${kind} met later does not run: the document is loaded instead`, async ({ page, open, complaints }) => {
    const changed = await change(page, url, (text) => text + script);
    await runsOnlyUnchecked(page, open, { complaints, changed });
  });
}

const answer = /\/_mfe\/mfe-probe-v1\/[^/]+\/answer\.\w+\.js$/;
const arrivals: [string, (page: Page, open: (path: string) => Promise<void>) => Promise<void>][] = [
  ['a page on first load', (_, open) => open('/probe-v1/later')],
  [
    'a page met later',
    async (page, open) => {
      await open(before);
      await page.evaluate(() => void navigation.navigate('/probe-v1/later'));
      await expect(heading(page)).toHaveText('Later');
    },
  ],
];
for (const [what, arrive] of arrivals) {
  test(`what the code of ${what} imports is fetched when it runs, and not run when tampered`, async ({ page, open, complaints }) => {
    const ask = async () => {
      await page.getByRole('button', { name: 'Ask' }).click();
      await expect(page.getByRole('status')).not.toBeEmpty();
      return page.getByRole('status').textContent();
    };
    const changed = await change(page, answer, (text) => text + script);
    await arrive(page, open);
    expect(changed.times).toBe(0);
    expect([await ask(), changed.times, await ran(page)]).toEqual(['refused', 1, false]);
    expect(complaints.list.join('\n')).toContain("Failed to find a valid digest in the 'integrity' attribute");
    complaints.list = [];

    await withoutIntegrity(page);
    await arrive(page, open);
    expect([await ask(), await ran(page)], 'the control: without integrity it runs').toEqual(['imported', true]);
    await page.unrouteAll();
    await arrive(page, open);
    expect(await ask()).toBe('imported');
  });
}

test('an altered set table is not believed: what it names is not run, the document is loaded instead', async ({
  page,
  open,
  complaints,
}) => {
  await change(page, scripts.chunk, (text) => text + script);
  const changed = await change(page, /\/_mfe\/sets\//, (json) => JSON.stringify({ ...JSON.parse(json), integrity: {} }));
  await runsOnlyUnchecked(page, open, { complaints, changed });
});

test('a tampered style in the document is not applied', async ({ page, open, complaints }) => {
  await change(page, /\/probe-v1$/, (html) => html.replaceAll('</style>', `${style}</style>`));
  await open(target);
  expect(await outline(page)).not.toBe('9px');
  expect(complaints.list.join('\n')).toContain('style-src');
  complaints.list = [];

  await page.unrouteAll();
  await change(page, /\/probe-v1$/, (html, headers) => {
    delete headers['content-security-policy'];
    return html.replaceAll('</style>', `${style}</style>`);
  });
  await open(target);
  expect(await outline(page), 'the control: without the policy it is').toBe('9px');
});

test('a tampered style sheet met later is not applied: the document is loaded instead, with its own', async ({
  page,
  open,
  complaints,
}) => {
  const changed = await change(page, styleSheet, (text) => text + style);
  await meetLater(page, open);
  await hydrated(page);
  expect(changed.times).toBeGreaterThan(0);
  expect([await outline(page), await sameDocument(page)]).not.toContain('9px');
  expect(await sameDocument(page)).toBe(false);
  await expect(page.getByRole('button')).toHaveCSS('border-top-width', '7px');
  complaints.list = [];

  await withoutIntegrity(page);
  await meetLater(page, open);
  expect([await outline(page), await sameDocument(page)], 'the control: without integrity it is').toEqual(['9px', true]);
});
