/** What there is: `status`, `list`, `audit`. */
import { parseArgs } from 'node:util';
import type { Activation, AuditEntry, State } from '../src/api.ts';
import { brokenLink } from '../src/audit-chain.ts';
import { CommandFailed, minute, table, UsageError } from '../src/command.ts';
import { registry } from './registry.ts';
import { mfeNamed } from './release-name.ts';

const historyShown = 10;

/** What is live, since when and by whom; what is on its way; what was live. */
export async function status(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const name = positionals.length === 0 ? undefined : mfeNamed(positionals);
  const state = await registry().state();
  const history = await registry().history(name);
  console.log(`${liveTable(state, name, await signedByRevoked(state))}\n`);
  const { candidate, canary } = state;
  if (candidate !== null) console.log(`on trial: ${releaseText(candidate)}, by ${candidate.by}, since ${minute(candidate.at)}`);
  if (canary !== null) console.log(`canary: ${releaseText(canary)} for ${canary.percent} %, by ${canary.by}, since ${minute(canary.at)}`);
  if (candidate !== null || canary !== null) console.log();
  if (history.length > 0) console.log(historyTable(history.slice(0, historyShown)));
}

/** What was published, newest first. */
export async function list(args: string[]): Promise<void> {
  const name = mfeNamed(parseArgs({ args, allowPositionals: true }).positionals);
  const [items, { live, canary }] = await Promise.all([registry().releases(name), registry().state()]);
  if (items.length === 0) return console.log(`Nothing of ${name} was published yet.`);
  const rows = items.map((item) => {
    const marks = [
      live[name] === item.version ? 'live' : '',
      canary?.name === name && canary.version === item.version ? `canary, ${canary.percent} %` : '',
      item.keyRevoked ? 'key revoked' : '',
    ].filter((mark) => mark !== '');
    return [
      item.version,
      minute(item.publishedAt),
      item.team,
      String(item.files),
      `${(item.bytes / 1000).toFixed(1)} kB`,
      marks.join(', '),
    ];
  });
  console.log(table(['version', 'published', 'team', 'files', 'size', ''], rows));
}

/** Who did what, oldest first; says where the chain of entries is broken. */
export async function audit(args: string[]): Promise<void> {
  if (parseArgs({ args, allowPositionals: true }).positionals.length > 0) throw new UsageError('audit takes no argument.');
  const entries: AuditEntry[] = [];
  for (;;) {
    const items = await registry().audit(entries.at(-1)?.n ?? 0);
    if (items.length === 0) break;
    entries.push(...items);
  }
  const rows = entries.map(({ n, at, actor, action, details }) => {
    const told = Object.entries(details).map(([key, value]) => `${key}=${value}`);
    return [String(n), at.slice(0, 19).replace('T', ' '), actor.kind, actor.name, action, told.join(' ')];
  });
  console.log(table(['n', 'at (UTC)', '', 'who', 'did', 'details'], rows));
  const broken = brokenLink(entries);
  if (broken !== null)
    throw new CommandFailed(
      `Entry ${broken} does not fit the one before: it was changed, or one was taken out. Nothing from there on is proof.`,
    );
}

/** The releases (`name@version`) that stay live though the key that signed them was revoked. */
async function signedByRevoked({ live }: State): Promise<Set<string>> {
  const lists = await Promise.all(Object.keys(live).map((name) => registry().releases(name)));
  return new Set(lists.flat().flatMap(({ name, version, keyRevoked }) => (keyRevoked ? [`${name}@${version}`] : [])));
}

function liveTable({ live, since }: State, only: string | undefined, revoked: ReadonlySet<string>): string {
  const shown = Object.keys(live)
    .filter((name) => only === undefined || name === only)
    .sort();
  if (shown.length === 0) return only === undefined ? 'Nothing is live yet.' : `${only} is not live.`;
  const version = (name: string) => `${live[name]}${revoked.has(`${name}@${live[name]}`) ? ', key revoked' : ''}`;
  const rows = shown.map((name) => [name, version(name), minute(since[name]?.at ?? ''), since[name]?.by ?? '']);
  return table(['live', 'version', 'since (UTC)', 'by'], rows);
}

function historyTable(history: readonly Activation[]): string {
  const rows = history.map(({ decidedAt, at, kind, name, version, from, state, by, reasons }) => [
    minute(decidedAt ?? at),
    version === null ? name : `${name}@${version}`,
    kind,
    from ?? '',
    by,
    state === 'withdrawn' ? `withdrawn: ${reasons.map(({ reason }) => reason).join('; ')}` : '',
  ]);
  return table(['history (UTC)', 'release', '', 'was', 'by', ''], rows);
}

function releaseText({ name, version }: { name: string; version: string | null }): string {
  return version === null ? `${name}, to be taken off` : `${name}@${version}`;
}
