import { expect, test } from '../support/test.ts';

test('lists 20 a page, newest first, with links that a crawler can follow', async ({ request }) => {
  const seen = new Set<string>();
  let path: string | undefined = '/news';
  let last = '9999';
  let visited = 0;
  while (path) {
    const html: string = await (await request.get(path)).text();
    const items = [...html.matchAll(/<a href="\/news\/([a-z0-9-]+)"/g)].map(([, id]) => id as string);
    const dates = [...html.matchAll(/<time[^>]* dateTime="(\d{4}-\d\d-\d\d)/gi)].map(([, date]) => date as string);
    expect(items).toHaveLength(20);
    expect(dates).toHaveLength(20);
    for (const date of dates) {
      expect(date <= last).toBe(true);
      last = date;
    }
    for (const id of items) seen.add(id);
    path = /<link rel="next" href="http:\/\/localhost:13000([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    visited++;
  }
  expect(seen.size).toBe(200);
  expect(visited).toBe(10);
});

test('filters by category and keeps the filter while paging', async ({ open, page }) => {
  await open('/news');
  await page.click('main a[href="/news?category=products"]');
  await expect(page.getByRole('link', { name: /^Products/ })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Older news' }).click();
  await expect(page).toHaveURL(/category=products/);
  await expect(page).toHaveURL(/page=2/);
});

test('each page of the list says to who hears it what is its own', async ({ open, page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  await open('/news');
  await expect(heading).toHaveText('News');
  const { height } = (await heading.boundingBox()) ?? {};
  for (const [go, said] of [
    [() => page.getByRole('link', { name: 'Older news' }).click(), 'News: page 2'],
    [() => page.click('main a[href="/news?category=calibration"]'), 'News: Calibration'],
    [() => page.fill('[name=q]', 'ring').then(() => page.keyboard.press('Enter')), /^News: search for “ring”, \d+ items$/],
  ] as const) {
    await go();
    await expect(heading).toHaveText(said);
    await expect(heading).toBeFocused();
    // And nothing of it is seen.
    expect((await heading.boundingBox())?.height).toBe(height);
  }
});

test('an item leads to the ones before and after it', async ({ open, page }) => {
  await open('/news/2026-11-05-ring-gauges');
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.locator('time')).toHaveAttribute('datetime', /^2026-11-05/);
  await page.getByRole('navigation', { name: 'Other news' }).getByRole('link', { name: /Newer/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vernier calliper 150 now reads to 0.02 mm');
  await page.getByRole('navigation', { name: 'Other news' }).getByRole('link', { name: /Older/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accreditation extended to ring gauges up to 200 mm');
});

test('the first page places the latest three, from another team’s part', async ({ open, page }) => {
  await open('/');
  await expect(page.locator('main a[href^="/news/"]')).toHaveCount(3);
  await expect(page.locator('main [lang=ja]')).toContainText('第33回計測機器展に出展します');
});

test('the public API answers as documented', async ({ request }) => {
  const list = await (await request.get('/api/news?category=calibration&page=2')).json();
  expect(list).toMatchObject({ page: 2, total: 41, pages: 3 });
  expect(Object.keys(list.items[0])).toEqual(expect.arrayContaining(['newsId', 'title', 'excerpt', 'category', 'publishedAt']));
  const item = await (await request.get(`/api/news/${list.items[0].newsId}`)).json();
  expect(item.body).toBeInstanceOf(Array);
  for (const [path, status] of [
    ['/api/news?page=x', 400],
    ['/api/news?category=weather', 400],
    ['/api/news/no-such-item', 404],
    ['/api/news/a/b', 404],
    ['/api/other', 404],
  ] as const) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(status);
    expect(response.headers()['content-type']).toBe('application/problem+json');
  }
  expect((await request.delete('/api/news/x')).status()).toBe(405);
});
