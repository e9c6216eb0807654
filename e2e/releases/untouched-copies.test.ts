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
  const answers = await Promise.all(asked);
  // The tag is over the whole document, which names the release set that it was rendered by.
  return {
    statuses: answers.map(({ headers }) => headers.get('cache-status')),
    tags: new Set(answers.map(({ headers }) => headers.get('etag'))),
  };
}

test('a release leaves the copies of pages in which it takes no part, and no copy of its own pages is served', async () => {
  await orderLive(registry, firstEdition);
  // Every worker of the gateway has copies of its own.
  for (const path of ['/company', '/', '/order/terms']) await everywhere(path, hit);
  const { tags } = await answersOf('/company');

  await orderLive(registry, secondEdition);
  for (const path of ['/company', '/'])
    for (const status of (await answersOf(path)).statuses) expect(status, path).toMatch(/^colonnade; hit; ttl=\d+$/);
  expect((await answersOf('/company')).tags).toEqual(tags);
  const terms = await fetch(`${fixtureOrigin}/order/terms`);
  expect(terms.headers.get('cache-status')).toMatch(/^colonnade; fwd=miss; stored; ttl=\d+$/);
  expect(await terms.text()).toContain('Terms, second edition');
});
