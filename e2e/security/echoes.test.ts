import { inquiry } from '../support/site.ts';
import { expect, hydrated, test } from '../support/test.ts';
import { expectHarmless, expectInert, setCanary } from './canary.ts';
import { lines, vectors } from './vectors.ts';

test.describe.configure({ timeout: 120_000 });

test('the corpus does run where a page puts it into its markup', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  const ran = new Set<number>();
  await page.exposeFunction('__ran', (index: number) => ran.add(index));
  // One document each, as a page would be that trusts what it is given, without a policy.
  await page.setContent('<body></body>');
  await page.evaluate((all) => {
    for (const [index, vector] of all.entries()) {
      const frame = document.createElement('iframe');
      frame.srcdoc = `<script>window.__fired = () => parent.__ran(${index})</script><h1>${vector}</h1><p title="${vector}"></p>`;
      document.body.append(frame);
    }
  }, vectors);
  await expect.poll(() => ran.size, { timeout: 30_000 }).toBeGreaterThan(100);
  // And what looks for it in markup finds it.
  for (const vector of ['<script>__fired()</script>', '<img src=x onerror=__fired()>', '<a href=javascript:__fired()>a</a>'])
    await expect(expectInert(page, `<h1>${vector}</h1>`, vector)).rejects.toThrow();
  await page.context().close();
});

// Opening a page for each of the corpus takes minutes: each is read as markup, and every few of them are opened.
test('a search shows the words it was asked for', async ({ page, context, request }) => {
  const fired = await setCanary(page);
  const blank = await context.newPage();
  for (const [index, line] of lines.filter(({ length }) => length <= 100).entries()) {
    const address = `/news?q=${encodeURIComponent(line)}`;
    await expectInert(blank, await (await request.get(address)).text(), line);
    if (index % 8 > 0) continue;
    await page.goto(address);
    await hydrated(page);
    await expect(page.getByRole('searchbox')).toHaveValue(line.trim().replace(/\s+/g, ' '));
    await expectHarmless(page, fired, line);
  }
  // The page's own search leads to the same without loading a document.
  await page.getByRole('searchbox').fill('</script><script>__fired()</script>');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('found for “</script><script>__fired()</script>”')).toBeVisible();
  await expectHarmless(page, fired, 'searched');
});

test('a path that is nowhere is not echoed', async ({ page, context, request }) => {
  const fired = await setCanary(page);
  const blank = await context.newPage();
  for (const [index, line] of lines.entries()) {
    const text = encodeURIComponent(line);
    const address = [`/${text}`, `/news/${text}`, `/news?category=${text}`, `/news?${text}=1`][index % 4] as string;
    const response = await request.get(address);
    expect([200, 400, 404], line).toContain(response.status());
    // A refusal of the gateway is JSON, which a browser shows as a text.
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    await expectInert(blank, await response.text(), line);
    if (index % 9 > 0) continue;
    await page.goto(address);
    await hydrated(page);
    await expectHarmless(page, fired, line);
  }
});

for (const way of ['by the page', 'by a document'] as const) {
  test(`an inquiry that was not taken shows what was typed: answered ${way}`, async ({ page, open, complaints }) => {
    const fired = await setCanary(page);
    const messages = [0, 1, 2, 3].map((part) =>
      vectors
        .filter((_, index) => index % 4 === part)
        .join('\n')
        .replace(/[^\P{Cc}\n\t]/gu, ''),
    );
    for (const [index, message] of messages.entries()) {
      await open('/inquiry');
      // As if the tab's release set had gone: the browser posts the form and loads the answer as a document.
      if (way === 'by a document') await page.route(/_data=/, (route) => route.fulfill({ status: 409, body: '' }), { times: 1 });
      const typed = { name: lines[index * 7], company: lines[index * 11 + 1], email: `"<svg/onload=__fired()>"@a.example`, message };
      for (const [name, value] of Object.entries(typed)) await page.fill(`[name=${name}]`, value as string);
      await page.selectOption('[name=category]', inquiry.category);
      // The browser's own check would keep it here.
      await page.evaluate(() =>
        document.querySelector('form')?.addEventListener('submit', (event) => event.stopImmediatePropagation(), true),
      );
      await page.evaluate(() => addEventListener('submit', (event) => event.stopPropagation(), true));
      await page.click('form button[type=submit]');
      await expect(page.getByRole('alert')).toContainText('was not sent');
      await hydrated(page);
      for (const [name, value] of Object.entries(typed)) await expect(page.locator(`[name=${name}]`)).toHaveValue(value as string);
      await expectHarmless(page, fired, message);
      // What the tab keeps comes back as text too.
      await page.reload();
      await hydrated(page);
      await expect(page.locator('[name=message]')).toHaveValue(message);
      await expectHarmless(page, fired, 'kept in the tab');
      await page.evaluate(() => sessionStorage.clear());
    }
    complaints.list = complaints.list.filter((line) => !line.includes('status of 4'));
  });
}
