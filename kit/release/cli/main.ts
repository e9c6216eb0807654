#!/usr/bin/env node
import { runCommand, UsageError } from '../src/command.ts';
/** `pnpm mfe`: what a team does with its releases, and an operator with those of all. */
import { activate, deactivate, promote, rollBack, withdraw } from './activate.ts';
import { create } from './create.ts';
import { keyring, keys } from './keys.ts';
import { preview } from './preview.ts';
import { publish } from './publish.ts';
import { inPlainWords } from './registry.ts';
import { audit, list, status } from './status.ts';

const usage = `Releases of microfrontends. In a microfrontend's folder its name and built version need not be given.

  pnpm mfe publish [folder] [--no-build]         build, sign, upload
  pnpm mfe activate mfe-news@1.4.0               put it live, after a trial in every shell
  pnpm mfe activate mfe-news@1.4.0 --percent 10  for some visitors first
  pnpm mfe promote                               the canary is good: for everybody
  pnpm mfe withdraw [--reason "…"]               the canary is not
  pnpm mfe rollback mfe-news [--from 1.4.0]      back to the version that was live before; only while 1.4.0 is live
  pnpm mfe deactivate mfe-careers                take it off the site
  pnpm mfe status [mfe-news]                     live, since when, by whom; what was before
  pnpm mfe list mfe-news                         every published release
  pnpm mfe audit                                 who did what
  pnpm mfe preview mfe-news@1.5.0-rc.1 [--to /news] [--hours 24]
                                                 a link that shows it before it is live
  pnpm mfe create careers [--dir ../mfe-careers] [--kit <folder of packed kits>]
                                                 a new microfrontend, outside of this repository
  pnpm mfe keys team --mfes mfe-news [--team "News"] [--out <file>]
  pnpm mfe keys root [--out <file>]              key pairs
  pnpm mfe keyring show
  pnpm mfe keyring add --team "News" --mfes mfe-news --key <public key>
  pnpm mfe keyring revoke <key id>               which key may sign what

REGISTRY_URL is the registry (default http://127.0.0.1:3203). COLONNADE_TOKEN: an operator's token, for what changes the
site. MFE_KEY: the team's key file, or the key itself (default: the nearest .data/keys/team.pem). ROOT_KEY_FILE: the root's
(default: the nearest .data/keys/root.pem). PREVIEW_KEY and SITE_ORIGIN: for preview links.`;

const commands: Record<string, (args: string[]) => Promise<void>> = {
  publish,
  activate,
  promote,
  withdraw,
  rollback: rollBack,
  deactivate,
  status,
  list,
  audit,
  preview,
  create,
  keys,
  keyring,
};

await runCommand(usage, async ([name = '', ...rest]) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`Not understood: ${name}`);
  await command(rest).catch((error: unknown) => {
    throw inPlainWords(error);
  });
});
