import { expect, onTestFinished } from 'vitest';
import { CachedSite, page, type Shell } from '../fixtures/page-cache.ts';

/** A page cache that hears of changes, until the test ends. */
export async function siteOf(shell: Shell, options?: Parameters<CachedSite['start']>[0]): Promise<CachedSite> {
  const site = await new CachedSite(shell).start(options);
  onTestFinished(() => site.close());
  await heard(site);
  return site;
}

/** The stream of changes counts as heard: a copy that depends on it is a hit. */
async function heard(site: CachedSite): Promise<void> {
  const { shell } = site;
  site.shell = async () => page('probe');
  await expect.poll(async () => (await site.visit('/news/probe')).headers['cache-status']).toMatch(/hit; ttl=[1-9]/);
  site.shell = shell;
  site.asked.length = 0;
}
