/** `preview`: a link to the site with a release that is not live, for whoever gets the link. */
import { parseArgs } from 'node:util';
import { CommandFailed, minute, UsageError } from '../src/command.ts';
import { signPreviewToken } from '../src/preview-token.ts';
import { readEnvironment } from './env.ts';
import { registry } from './registry.ts';
import { releaseNamed } from './release-name.ts';

const defaultHours = 24;
const maxHours = 24 * 14;

/** Prints a signed link that expires. */
export async function preview(args: string[]): Promise<void> {
  const options = { to: { type: 'string' }, hours: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { name, version } = releaseNamed(positionals);
  const { to = '/' } = values;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(to)) throw new UsageError('--to is a path of the site: --to /news');
  const hours = Number(values.hours ?? defaultHours);
  if (!Number.isInteger(hours) || hours < 1 || hours > maxHours) throw new UsageError(`--hours is a whole number from 1 to ${maxHours}.`);
  const { PREVIEW_KEY, SITE_ORIGIN } = readEnvironment();
  if (PREVIEW_KEY === undefined) throw new CommandFailed('Set PREVIEW_KEY to the key that the gateway has. The operator knows it.');
  // A link to what was never published would help nobody.
  await registry().release(name, version);
  const expiresAt = new Date(Date.now() + hours * 3_600_000);
  const release = `${name}@${version}`;
  const link = new URL(`${SITE_ORIGIN}/_preview/${release}`);
  link.searchParams.set('token', signPreviewToken({ release, expiresAt }, PREVIEW_KEY));
  link.searchParams.set('to', to);
  console.log(link.href);
  console.log(`\nWhoever opens it sees ${release}, until ${minute(expiresAt.toISOString())} UTC. Nobody else is affected.`);
  console.log(`To see the live site again: ${SITE_ORIGIN}/_preview/end`);
}
