/** What is live: `activate`, `rollback`, `deactivate`, `promote`, `withdraw`. Each waits until it is decided. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Activation, versionSchema } from '../src/api.ts';
import type { RegistryClient } from '../src/client.ts';
import { CommandFailed, minute, UsageError } from '../src/command.ts';
import { RegistryAway } from '../src/registry-request.ts';
import { awayWords, operatorRegistry, registry } from './registry.ts';
import { mfeNamed, releaseNamed } from './release-name.ts';

/** How long the registry may be away while something is tried: a restart of it. */
const awayMs = 30_000;

/** Puts a release live, or before a share of the visitors. */
export async function activate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { percent: { type: 'string' } }, allowPositionals: true });
  const percent = values.percent === undefined ? undefined : percentIn(values.percent);
  const { name, version } = releaseNamed(positionals);
  const { activation, tookMs } = await decided((client) => client.activate({ name, version, percent }));
  if (activation.state === 'canary') {
    console.log(`${name}@${version} is a canary for ${activation.percent} % of the visitors, after ${tookMs} ms.`);
    console.log('It becomes live after a clean window, or with: pnpm mfe promote. To take it back: pnpm mfe withdraw');
  } else console.log(`${name}@${version} is live after ${tookMs} ms${seenBy(activation)}`);
}

/** Goes back to the version that was live before. From what the guard has gone back to, only where that is said. */
export async function rollBack(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { from: { type: 'string' } }, allowPositionals: true });
  const name = mfeNamed(positionals);
  if (values.from !== undefined && !versionSchema.safeParse(values.from).success)
    throw new UsageError('--from is the version to be left, such as 1.4.0');
  const [last] = await registry().history(name);
  if (values.from === undefined && last?.by === 'guard')
    throw new CommandFailed(
      `The guard has taken ${name} from ${last.from} back to ${last.version ?? 'nothing'} at ${minute(last.decidedAt ?? last.at)} (UTC), and nothing was changed now.` +
        (last.version === null ? '' : `\nTo go back further: pnpm mfe rollback ${name} --from ${last.version}`),
    );
  const { activation, tookMs } = await decided((client) => client.rollBack(name, values.from ?? last?.version ?? null));
  console.log(
    `${name} is back at ${activation.version} after ${tookMs} ms (was ${activation.from ?? 'off the site'})${seenBy(activation)}`,
  );
}

/** Takes a microfrontend, its pages and its entries in the navigation off the site. */
export async function deactivate(args: string[]): Promise<void> {
  const name = mfeNamed(parseArgs({ args, allowPositionals: true }).positionals);
  const { activation, tookMs } = await decided((client) => client.deactivate(name));
  console.log(`${name} is off the site after ${tookMs} ms (was ${activation.from})${seenBy(activation)}`);
}

/** Makes the canary live for everybody. */
export async function promote(args: string[]): Promise<void> {
  parseArgs({ args });
  const { activation, tookMs } = await decided((client) => client.endCanary('promote'));
  console.log(`${activation.name}@${activation.version} is live for everybody after ${tookMs} ms`);
}

/** Takes the canary back. */
export async function withdraw(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { reason: { type: 'string' } } });
  const { name, version } = await start((client) => client.endCanary('withdraw', values.reason));
  console.log(`${name}@${version} is withdrawn: every visitor gets what is live`);
}

type Decision = (client: RegistryClient) => Promise<Activation>;

/** Starts something and waits until it is decided. @throws CommandFailed with each shell's reason where it was refused */
async function decided(decision: Decision): Promise<{ activation: Activation; tookMs: number }> {
  const started = performance.now();
  let activation = await start(decision);
  if (activation.state === 'trying') {
    const shells = activation.expected.length;
    console.log(`on trial by ${shells} ${shells === 1 ? 'shell' : 'shells'} …`);
    activation = await outcomeOf(activation.id);
  }
  const { name, version, state, reasons } = activation;
  const what = version === null ? `The deactivation of ${name}` : `${name}@${version}`;
  const why = reasons.map(({ shell, reason }) => `  ${shell === null ? '' : `${shell}: `}${reason}`).join('\n');
  if (state === 'refused') throw new CommandFailed(`${what} was refused, and nothing has changed:\n${why}`);
  if (state === 'withdrawn') throw new CommandFailed(`${what} was withdrawn:\n${why}`);
  return { activation, tookMs: Math.round(performance.now() - started) };
}

/** Never asked twice: the first may have been heard. */
async function start(decision: Decision): Promise<Activation> {
  try {
    return await decision(operatorRegistry());
  } catch (error) {
    throw error instanceof RegistryAway ? unknownOutcome(error) : error;
  }
}

const unknownOutcome = (error: RegistryAway) =>
  new CommandFailed(`${awayWords(error)}\nWhether anything was changed is not known. Look with: pnpm mfe status`);

async function outcomeOf(id: string): Promise<Activation> {
  for (let answeredAt = performance.now(); ; ) {
    try {
      const activation = await registry().activation(id);
      if (activation.state !== 'trying') return activation;
      answeredAt = performance.now();
    } catch (error) {
      if (!(error instanceof RegistryAway)) throw error;
      if (performance.now() - answeredAt > awayMs) throw unknownOutcome(error);
      await pause(500);
    }
  }
}

/** With no shell there was no trial, and nobody sees it yet. */
function seenBy({ expected }: Activation): string {
  return expected.length === 0 ? '. No shell is connected: it shows when one is' : '';
}

function percentIn(text: string): number {
  if (!/^[1-9]\d?$/.test(text))
    throw new UsageError('--percent is a whole number from 1 to 99. Without it the release goes live for everybody.');
  return Number(text);
}
