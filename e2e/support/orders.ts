/** The microfrontend `mfe-order`: two versions of the same pages that share nothing. */
import { expect } from 'playwright/test';
import { fixtureOrigin } from './fixture-site.ts';
import { fixtureDist, publishVersion, type Registry } from './releases.ts';

export const firstEdition = '1.0.0';
export const secondEdition = '2.0.0';
/** The same once more: as sets, others. */
export const firstReprint = '1.0.1';
export const secondReprint = '2.0.1';

/** Publishes all versions; those that are there already stay as they are. */
export async function publishOrders(registry: Registry): Promise<void> {
  await registry.publish(fixtureDist('mfe-order-v1'));
  await registry.publish(fixtureDist('mfe-order-v2'));
  await publishVersion(registry, { from: fixtureDist('mfe-order-v1'), version: firstReprint });
  await publishVersion(registry, { from: fixtureDist('mfe-order-v2'), version: secondReprint });
}

/** Makes a version live, and waits until every worker of the gateway shows it. @returns its release set */
export async function orderLive(registry: Registry, version: string): Promise<string> {
  const { live } = await registry.client.state();
  if (live['mfe-order'] !== version) expect(await registry.activate('mfe-order', version)).toMatchObject({ state: 'live' });
  await everywhere('/order', async (answer) => expect(await answer.text()).toContain(`/_mfe/mfe-order/${version}/`));
  return (await fetch(`${fixtureOrigin}/order`)).headers.get('x-release-set') ?? '';
}

/** Waits until every worker of the gateway gives an answer that passes. Each connection goes to the next of them. */
export async function everywhere(path: string, check: (answer: Response) => void | Promise<void>, headers: Record<string, string> = {}) {
  await expect(async () => {
    for (let connection = 0; connection < 6; connection++)
      await check(await fetch(fixtureOrigin + path, { headers: { ...headers, Connection: 'close' } }));
  }).toPass({ timeout: 15_000, intervals: [50] });
}
