/** The registry, as the environment of the release tool names it. Its failures are put into plain words. */
import { RegistryClient } from '../src/client.ts';
import { CommandFailed } from '../src/command.ts';
import { ReleaseRefused } from '../src/refusal.ts';
import { RegistryAway, RegistryRefused } from '../src/registry-request.ts';
import { readEnvironment } from './env.ts';

/** A person at a terminal, and a pipeline on a slow line, rather wait than begin anew. */
const deadlineMs = 30_000;

/** For what everybody may ask. */
export function registry(): RegistryClient {
  return new RegistryClient(readEnvironment().REGISTRY_URL, undefined, deadlineMs);
}

/** For what only operators may do. @throws CommandFailed where there is no token */
export function operatorRegistry(): RegistryClient {
  const { REGISTRY_URL, COLONNADE_TOKEN } = readEnvironment();
  if (COLONNADE_TOKEN === undefined)
    throw new CommandFailed(
      'Set COLONNADE_TOKEN to an operator’s token. An administrator makes one: pnpm staff add "Your name" --role operator',
    );
  return new RegistryClient(REGISTRY_URL, COLONNADE_TOKEN, deadlineMs);
}

/** What was foreseen, as whoever typed the command is told it; anything else as it is. */
export function inPlainWords(error: unknown): unknown {
  if (error instanceof RegistryAway) return new CommandFailed(awayWords(error));
  if (error instanceof RegistryRefused) return new CommandFailed(refusalWords(error));
  return error instanceof ReleaseRefused ? new CommandFailed(error.message) : error;
}

/** Where it does not answer. */
export function awayWords({ message }: RegistryAway): string {
  return `${message} Does the site run (pnpm start)? Else check REGISTRY_URL.`;
}

function refusalWords({ status, code, message }: RegistryRefused): string {
  if (code !== '') return message;
  switch (status) {
    case 401:
      return 'Your token in COLONNADE_TOKEN is not known, or was revoked. An administrator makes a new one: pnpm staff add "Your name" --role operator';
    case 403:
      return `Your token in COLONNADE_TOKEN is not an operator’s: it may not do this. ${message}`;
    case 429:
      return 'Too many wrong tokens were sent from this machine. Try again in a minute.';
    default:
      return message;
  }
}
