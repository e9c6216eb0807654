import { expect, test } from '../support/test.ts';

for (const container of ['v1', 'enhanced']) {
  test(`an image of a microfrontend is shown in container format ${container}, from the address that the server has named`, async ({
    open,
    page,
    request,
  }) => {
    const html = await (await request.get(`/probe-${container}/image`)).text();
    const src = /<img src="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(src).toMatch(new RegExp(`^/_mfe/mfe-probe-${container}/1\\.0\\.0/[0-9a-f]+\\.png$`));
    const answer = await request.get(src);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);

    await open(`/probe-${container}/image`);
    // React has the page: it would say that the addresses differ, and set its own.
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('Clicked 1 times');
    const image = page.getByRole('img', { name: 'Pixel' });
    await expect(image).toHaveAttribute('src', src);
    await expect(image).toHaveJSProperty('naturalWidth', 1);
    await expect(image).toHaveCSS('background-image', `url("${new URL(src, page.url())}")`);
  });
}
