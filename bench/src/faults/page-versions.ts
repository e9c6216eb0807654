import path from 'node:path';
import { publishVersion, type Registry } from '@colonnade/e2e/support/releases.ts';

/** The microfrontend of which versions are released: the company's own pages, as the workspace builds them. */
export const mfe = 'mfe-pages';
const from = path.join(import.meta.dirname, '../../../mfe-pages/dist');
/** More renders than its trial takes, in each worker. */
const goodRenders = 20;
const fails = `
    globalThis.renders = (globalThis.renders ?? 0) + 1;
    if (globalThis.renders > ${goodRenders} && globalThis.renders % 10 < 3) throw new Error('thrown by a bad release');`;

/** Publishes a version whose `/company` says which version it is. */
export async function publishTelling(registry: Registry, version: string): Promise<void> {
  await publishVersion(registry, { from, version, edit: (text) => text.replaceAll(/("?title"?: ?)"Company"/g, `$1"Company ${version}"`) });
}

/** Publishes a version that is good for its trial and then throws in 30 % of its renders. */
export async function publishFailing(registry: Registry, version: string): Promise<void> {
  await publishVersion(registry, {
    from,
    version,
    edit: (text) => text.replaceAll(/function (?:Home|Company|Privacy)\(\) \{/g, `$&${fails}`),
  });
}

/** What `/company` says. */
export const shownVersion = /<h1[^>]*>Company ([^<]+)</;
