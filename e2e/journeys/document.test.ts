import { pages } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

for (const { path, heading } of pages) {
  test.describe(path, () => {
    test('is complete in the HTML that the server sends', async ({ request }) => {
      const response = await request.get(path);
      expect(response.status()).toBe(200);
      const html = await response.text();
      expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
      for (const landmark of ['<header', '<main id="main"', '<footer', 'class="skip" href="#main"']) expect(html).toContain(landmark);
      expect(html).toMatch(/<title>[^<]+Nollvik[^<]*<\/title>/);
      expect(html).toMatch(/<meta name="description" content="[^"]{20,}">/);
      expect(html).toContain(`<link rel="canonical" href="http://localhost:13000${path}">`);
      for (const property of ['og:title', 'og:description', 'og:type', 'og:url', 'og:site_name'])
        expect(html).toContain(`<meta property="${property}"`);
      expect(html).not.toMatch(/<script(?![^>]*(type="(module|importmap|application\/(ld\+)?json)"))/);
      expect(html).not.toMatch(/ style="/);
    });

    test('hydrates without a complaint', async ({ open, page }) => {
      await open(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    });

    test('is whole without JavaScript', async ({ browser }) => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveCount(3);
      await context.close();
    });
  });
}

test('titles and descriptions are unique', async ({ request }) => {
  const heads = await Promise.all(
    [...pages.map(({ path }) => path), '/news?page=2', '/news?category=calibration', '/news?category=calibration&page=2'].map(
      async (path) => {
        const html = await (await request.get(path)).text();
        return [
          /<title>([^<]+)/.exec(html)?.[1],
          /name="description" content="([^"]+)/.exec(html)?.[1],
          /rel="canonical" href="([^"]+)/.exec(html)?.[1],
        ];
      },
    ),
  );
  for (const [i, what] of ['title', 'description', 'canonical URL'].entries()) {
    const values = heads.map((head) => head[i]);
    expect(new Set(values).size, `${what}: ${values.join(' | ')}`).toBe(values.length);
  }
});

test('an unknown page, and an id of more than one segment, are 404 in the site’s layout', async ({ page, request }) => {
  for (const path of [
    '/nope',
    '/news/a/b',
    '/news/2026-11-05-no-such-item',
    '/company/x',
    '/news?page=0',
    '/news?page=999',
    '/news?category=weather',
  ]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  await page.goto('/news/a/b');
  await expect(page.locator('[data-status="404"] h1')).toBeVisible();
  await expect(page.getByRole('link', { name: 'News' }).first()).toBeVisible();
});

test('answers every kind of page under a policy by hashes, without nonce and unsafe', async ({ request }) => {
  for (const path of ['/', '/news', '/nope']) {
    const policy = (await request.get(path)).headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(/script-src 'self' 'sha256-/);
    expect(policy).not.toMatch(/unsafe|nonce/);
  }
});

test('the policy is enforced: an inline script and a made-up element do not run', async ({ page, complaints }) => {
  await page.goto('/');
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.textContent = 'window.__ran = true';
      document.body.append(script);
    } catch {
      // Trusted Types refuse the text already.
    }
    return '__ran' in window;
  });
  expect(ran).toBe(false);
  await expect.poll(() => complaints.list.some((line) => line.startsWith('policy: '))).toBe(true);
  complaints.list.length = 0;
});
