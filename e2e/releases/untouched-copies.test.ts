import { fixtureDataDir, fixtureOrigin, fixturePorts } from '../support/fixture-site.ts';
import { everywhere, firstEdition, orderLive, publishOrders, secondEdition } from '../support/orders.ts';
import { calm, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);

test.describe.configure({ mode: 'default', timeout: 60_000 });

test.beforeAll(async () => {
  await calm(registry);
  await publishOrders(registry);
});
test.afterAll(async () => {
  await registry.deactivate('mfe-order');
});

const hit = (answer: Response) => expect(answer.headers.get('cache-status')).toMatch(/^colonnade; hit; ttl=\d+$/);
/** How every worker of the gateway answers. */
async function answersOf(path: string) {
  const asked = Array.from({ length: 6 }, () => fetch(fixtureOrigin + path, { headers: { Connection: 'close' } }));
  return Promise.all(
    (await Promise.all(asked)).map(async (answer) => ({
      status: answer.headers.get('cache-status'),
      // Over the whole document, which names the release set that it was rendered by.
      tag: answer.headers.get('etag'),
      html: await answer.text(),
    })),
  );
}
const tagsOf = (answers: { tag: string | null }[]) => new Set(answers.map(({ tag }) => tag));

test('a release leaves the copies of pages in which it takes no part, and no copy of its own pages is served', async () => {
  await orderLive(registry, firstEdition);
  // Every worker of the gateway has copies of its own.
  for (const path of ['/company', '/', '/order/terms']) await everywhere(path, hit);
  const before = tagsOf(await answersOf('/company'));

  await orderLive(registry, secondEdition);
  for (const path of ['/company', '/'])
    for (const { status } of await answersOf(path)) expect(status, path).toMatch(/^colonnade; hit; ttl=\d+$/);
  expect(tagsOf(await answersOf('/company'))).toEqual(before);
  for (const { html } of await answersOf('/order/terms')) expect(html).toContain('Terms, second edition');
});
