/** What a `release.json` must say, whoever signed it and whatever is live. */
import { filesInBrowser, type Release, releaseSchema } from '@colonnade/mfe/release';
import { conflicts, matchPath } from '@colonnade/mfe/routing';
import { checkFiles } from '@colonnade/release/files';
import { type RefusalCode, ReleaseRefused } from '@colonnade/release/refusal';
import { takenNames, takenSegments } from '@colonnade/release/taken';
import { intersects, validRange } from 'semver';
import { z } from 'zod';

const pattern = /^\/$|^(?:\/(?::[A-Za-z]\w*|[A-Za-z0-9._~%-]+))+$/;

/** Versions or ranges by package that every shell provides: `react` → `^19`. */
export type SharedProvided = Readonly<Record<string, string>>;

/**
 * Reads and checks a manifest.
 * @throws ReleaseRefused that says which rule it breaks and what to do
 */
export function checkManifest(bytes: Uint8Array, provided: SharedProvided): Release {
  const release = parse(bytes);
  if (takenNames.has(release.name)) refuse('bad-manifest', `${release.name} is a name of the site's own. Rename the microfrontend.`);
  checkFiles(release.files);
  refuseMissingFiles(release);
  refuseWrongShared(release, provided);
  checkRoutes(release);
  for (const { label, path } of release.nav) {
    const own = release.routes.some((route) => matchPath(route.path, path));
    if (!own) refuse('bad-manifest', `The navigation's ${label} leads to ${path}, no page of ${release.name}. Lead it to one.`);
  }
  for (const { name } of release.slots) {
    const own = name.startsWith(`${release.name}/`);
    if (!own) refuse('bad-manifest', `The slot ${name} would be another team's. Name it ${release.name}/….`);
  }
  return release;
}

function parse(bytes: Uint8Array): Release {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    refuse('bad-manifest', 'release.json is not JSON in UTF-8. Publish what the build has written, unchanged.');
  }
  const result = releaseSchema.safeParse(json);
  if (result.success) return result.data;
  const field = String(result.error.issues[0]?.path[0] ?? '');
  const given = z.record(z.string(), z.unknown()).safeParse(json).data?.[field];
  if (field === 'contract' || field === 'release' || field === 'container') {
    const told = `release.json has ${field} ${JSON.stringify(given)?.slice(0, 50)}, which this site does not speak.`;
    refuse('wrong-contract', `${told} Build with a @colonnade/mfe that it does.`);
  }
  if (field === 'files') refuse('bad-hash', 'Not every file in release.json has a SHA-384, as sha384-… in base64. Build it anew.');
  return refuse(
    'bad-manifest',
    `release.json is not in form. Build it with the preset of @colonnade/mfe.\n${z.prettifyError(result.error).slice(0, 2000)}`,
  );
}

/** Whatever a shell or browser would load needs its hash. */
function refuseMissingFiles(release: Release): void {
  const { server, files } = release;
  for (const [side, named] of [['client', filesInBrowser(release)] as const, ['server', [server.entry]] as const]) {
    for (const file of named) {
      if (!Object.hasOwn(files, file))
        refuse('missing-hash', `release.json names ${file.slice(0, 250)} but has no hash of it. Build it anew.`);
      if (!file.startsWith(`${side}/`)) refuse('bad-path', `${file} has to lie below ${side}/. Build it with the preset.`);
    }
  }
}

function refuseWrongShared({ shared }: Release, provided: SharedProvided): void {
  for (const [module, wanted] of Object.entries(shared)) {
    // A module's path inside its package has the package's version: react/jsx-runtime.
    const name = module.startsWith('@') ? module.split('/', 2).join('/') : (module.split('/', 1)[0] as string);
    const have = Object.hasOwn(provided, name) ? provided[name] : undefined;
    const all = Object.keys(provided).join(', ');
    if (have === undefined) refuse('wrong-shared', `The shells do not share ${module}, only ${all}. Bundle it with the microfrontend.`);
    if (validRange(wanted) === null || !intersects(have, wanted))
      refuse('wrong-shared', `The release needs ${module} ${wanted}, and the shells share ${have}. Build it against that.`);
  }
}

function checkRoutes({ name, routes }: Release): void {
  for (const [i, { id, path, trial }] of routes.entries()) {
    const first = path.split('/', 2)[1] ?? '';
    if (!pattern.test(path)) refuse('bad-manifest', `Route ${id}: ${path} is no path pattern. Write it as /news/:newsId.`);
    if (first.startsWith('_') || takenSegments.has(first))
      refuse('path-conflict', `Route ${id}: ${path} belongs to the site itself. Choose another.`);
    if (path.includes('/:') && !trial)
      refuse('no-trial', `Route ${id}: ${path} has a parameter but no trial. Give the route a trial, which names a page that exists.`);
    const twice = routes.slice(i + 1).find((other) => conflicts(path, other.path));
    if (twice !== undefined)
      refuse('path-conflict', `Two routes of ${name} claim one path: ${id} ${path}, ${twice.id} ${twice.path}. Give one of them another.`);
  }
}

function refuse(code: RefusalCode, message: string): never {
  throw new ReleaseRefused(code, message);
}
