import path from 'node:path';
import { publishVersion, type Registry } from '@colonnade/e2e/support/releases.ts';
import { root } from '@colonnade/stack/parts';
import type { Site } from '@colonnade/stack/site';
import { registryOfSite } from '../faults/site.ts';
import { printTable } from '../table.ts';
import { inTurns, siteTarget } from './rounds.ts';

const more = 17;
const maxTries = 5;
const rounds = 9;
/** Brought to life in the browser: its document names the code of its microfrontend and the part of the set table about it. */
const page = '/inquiry';
const allowed = { cpu: 1.1, htmlBytes: 1.1, jsBytes: 1 };
/** What is registered again and again, under other names and paths. */
const from = path.join(root, 'mfe-inquiry/dist');

/**
 * What visitors of a page pay for microfrontends that are not on it: the bytes of the document and of its modules, the set table,
 * which the browser fetches when it has nothing to do, and the site's processor time, with the three of the site and with 17 more,
 * each on a site of its own, in turns.
 * @returns whether the page is the same but for the path patterns in it; the table grows with what it names
 */
export async function manyMfes(three: Site, twenty: Site): Promise<boolean> {
  await registerMore(twenty);
  const [was, is] = await inTurns([three, twenty].map(siteTarget), page, rounds);
  const before = { ...(await bytesOf(three)), cpuMs: was?.cpuMs ?? Number.NaN };
  const after = { ...(await bytesOf(twenty)), cpuMs: is?.cpuMs ?? Number.NaN };
  const row = (name: string, of: (one: typeof before) => number, unit: string, digits = 0) => [
    name,
    `${of(before).toFixed(digits)} ${unit}`,
    `${of(after).toFixed(digits)} ${unit}`,
    `${(of(after) / of(before)).toFixed(3)}×`,
  ];
  printTable(
    [page, '3 microfrontends', `${3 + more}`, 'ratio'],
    [
      row('HTML', ({ htmlBytes }) => htmlBytes, 'B'),
      row('JavaScript of the page', ({ jsBytes }) => jsBytes, 'B'),
      row('set table, decoded', ({ tableBytes }) => tableBytes, 'B'),
      row('set table, as it comes', ({ tablePackedBytes }) => tablePackedBytes, 'B'),
      row('CPU per request', ({ cpuMs }) => cpuMs, 'ms', 2),
    ],
  );
  return (Object.keys(allowed) as (keyof typeof allowed)[]).every((name) => {
    const of = name === 'cpu' ? 'cpuMs' : name;
    return after[of] <= before[of] * allowed[name];
  });
}

async function bytesOf(site: Site) {
  const answer = await fetch(site.origin + page);
  const html = await answer.text();
  const table = await fetch(`${site.origin}/_mfe/sets/${answer.headers.get('x-release-set')}.json`, {
    headers: { 'Accept-Encoding': 'br' },
  });
  const modules = [...new Set([...html.matchAll(/<link rel="?modulepreload"?[^>]*href="([^"]+)"/g)].map(([, url]) => url as string))];
  if (!modules.some((url) => url.includes('/mfe-'))) throw new Error(`${page} preloads no module of a microfrontend`);
  const sizes = await Promise.all(modules.map(async (url) => (await (await fetch(site.origin + url)).arrayBuffer()).byteLength));
  return {
    htmlBytes: Buffer.byteLength(html),
    jsBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    tableBytes: (await table.arrayBuffer()).byteLength,
    tablePackedBytes: Number(table.headers.get('content-length')),
  };
}

async function registerMore(site: Site): Promise<void> {
  const registry = registryOfSite(site);
  for (let number = 1; number <= more; number++) {
    const name = `mfe-copy-${number}`;
    await publishVersion(registry, {
      from,
      version: '1.0.0',
      edit: (text) => renamed(text, name),
      manifest: (release) => {
        Object.assign(release, JSON.parse(renamed(JSON.stringify({ ...release, files: {} }), name)), { files: release.files, nav: [] });
      },
    });
    await goLive(registry, name);
  }
}

/** Tried again: on a machine that stands still for a second, a worker that comes up is taken for one that loops. */
async function goLive(registry: Registry, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { state, reasons } = await registry.activate(name, '1.0.0');
    if (state === 'live') return;
    if (tries === maxTries) throw new Error(`${name} is ${state}: ${reasons.map(({ reason }) => reason)}`);
  }
}

/** The same code or manifest under another name, at the path of that name. */
function renamed(text: string, name: string): string {
  return text
    .replaceAll('mfe_inquiry', name.replaceAll('-', '_'))
    .replaceAll('mfe-inquiry', name)
    .replaceAll(/(["'`])\/inquiry\1/g, `$1/${name}$1`);
}
