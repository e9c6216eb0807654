import { parseAtomFeed } from 'feedsmith';
import { pages } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

const origin = 'http://localhost:13000';

test('the sitemap lists all public pages and exactly the published items', async ({ request }) => {
  const response = await request.get('/sitemap.xml');
  expect(response.headers()['content-type']).toBe('application/xml; charset=utf-8');
  const xml = await response.text();
  expect(xml).toContain('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
  const listed = [...xml.matchAll(/<url><loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/url>/g)];
  const published: string[] = [];
  for (let page = 1, of = 1; page <= of; page++) {
    const list = await (await request.get(`/api/news?page=${page}`)).json();
    of = list.pages;
    published.push(...list.items.map(({ newsId }: { newsId: string }) => `${origin}/news/${newsId}`));
  }
  const own = pages.map(({ path }) => path).filter((path) => !path.startsWith('/news/'));
  expect(listed.map(([, url]) => url).sort()).toEqual([...own.map((path) => origin + path), ...published].sort());
  for (const [, url, lastModified] of listed)
    if (url?.includes('/news/')) expect(Date.parse(lastModified ?? '')).toBeLessThanOrEqual(Date.now());
});

test('the feed is Atom, with ids that say nothing of addresses', async ({ request }) => {
  const response = await request.get('/feed.xml');
  expect(response.headers()['content-type']).toBe('application/atom+xml; charset=utf-8');
  const feed = parseAtomFeed(await response.text());
  expect(feed.title?.value ?? feed.title).toBe('Nollvik');
  expect(feed.links).toContainEqual(expect.objectContaining({ rel: 'self', href: `${origin}/feed.xml` }));
  expect(feed.entries).toHaveLength(20);
  for (const entry of feed.entries ?? []) {
    expect(entry.id).toMatch(/^tag:nollvik\.example,2026:mfe-news\/.+/);
    expect(Date.parse(entry.updated ?? '')).not.toBeNaN();
    const [link] = entry.links ?? [];
    expect((await request.get(link?.href ?? '')).status()).toBe(200);
  }
  expect(new Set(feed.entries?.map(({ id }) => id)).size).toBe(20);
});

test('robots.txt leads to the sitemap, security.txt to whom to tell', async ({ request }) => {
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
  const security = await (await request.get('/.well-known/security.txt')).text();
  expect(security).toMatch(/^Contact: (mailto|https):/m);
  expect(Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? '')).toBeGreaterThan(Date.now());
});

test('what has not changed is not sent again', async ({ request }) => {
  for (const path of ['/news', '/company', '/feed.xml', '/sitemap.xml', '/robots.txt']) {
    const { etag } = (await request.get(path)).headers();
    expect(etag, path).toBeTruthy();
    const again = await request.get(path, { headers: { 'If-None-Match': etag ?? '' } });
    expect(again.status(), path).toBe(304);
    expect((await again.body()).length).toBe(0);
  }
  expect((await request.get('/inquiry')).headers().etag).toBeUndefined();
});

test('structured data says what the page shows', async ({ open, page }) => {
  const facts = async () => (await page.locator('script[type="application/ld+json"]').allTextContents()).map((text) => JSON.parse(text));
  await open('/news/2026-11-05-ring-gauges');
  const [article, crumbs] = await facts();
  expect(article).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    inLanguage: 'en',
    publisher: { '@type': 'Organization', name: 'Nollvik' },
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(article.headline);
  expect(article.datePublished.slice(0, 10)).toBe(await page.locator('main time').first().getAttribute('datetime'));
  expect(crumbs['@type']).toBe('BreadcrumbList');
  for (const { item } of crumbs.itemListElement) expect((await page.request.get(item)).status()).toBe(200);
  await open('/company');
  const [organization] = await facts();
  expect(organization).toMatchObject({ '@type': 'Organization', legalName: 'Nollvik Instrument AB', foundingDate: '1966-03-14' });
  await expect(page.locator('main')).toContainText(organization.legalName);
});

test('the news are searched, in Latin and in Japanese, and by year', async ({ open, page }) => {
  await open('/news');
  await page.fill('input[name=q]', 'ring gauges');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/news?q=ring+gauges');
  await expect(page.locator('main a[href="/news/2026-11-05-ring-gauges"]')).toBeVisible();
  await expect(page.locator('main')).toContainText('found for “ring gauges”');
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  await page.fill('input[name=q]', '計測');
  await page.keyboard.press('Enter');
  await expect(page.locator('main a[href="/news/2026-10-27-keisoku-exhibition"]')).toBeVisible();
  await page.fill('input[name=q]', 'zzzz qqqq');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.locator('main')).toContainText('Nothing found');
  await page.getByRole('navigation', { name: 'Archive' }).getByRole('link', { name: '2012' }).click();
  await expect(page).toHaveURL('/news?year=2012');
  const times = page.locator('main time');
  await expect(times).not.toHaveCount(0);
  for (const date of await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))) expect(date).toMatch(/^2012-/);
});
