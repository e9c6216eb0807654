import { setTimeout as pause } from 'node:timers/promises';
import type { Site } from '@colonnade/stack/site';
import { mfe, publishFailing, publishTelling, shownVersion } from './page-versions.ts';
import { registryOfSite } from './site.ts';
import { readers } from './visitors.ts';

const giveUpMs = 120_000;
/** Before the release, so that there is something to compare it with, and after its end, as gateways have to hear of it. */
const [beforeMs, afterMs] = [10_000, 2000];
const lookMs = 50;
const withdrawnWithinS = 30;

interface Wish {
  version: string;
  publish: typeof publishTelling;
  /** As a canary. */
  percent?: number;
  /** What is waited for, by the state of its activation. */
  until: 'live' | 'withdrawn';
}

/** A canary throws in 30 % of its renders. @returns whether it was withdrawn within 30 s */
export async function badCanary(site: Site): Promise<boolean> {
  const { seconds } = await release(site, { version: '3.0.0', publish: publishFailing, percent: 10, until: 'withdrawn' });
  return seconds <= withdrawnWithinS;
}

/** A canary that is good. @returns whether it went live for all by itself, and nobody saw an error page */
export async function goodCanary(site: Site): Promise<boolean> {
  const { errors } = await release(site, { version: '3.1.0', publish: publishTelling, percent: 10, until: 'live' });
  const shown = shownVersion.exec(await (await fetch(`${site.origin}/company`)).text())?.[1];
  return errors === 0 && shown === '3.1.0';
}

/** A version that throws in 30 % of its renders goes live for all. @returns whether it was rolled back by itself within 30 s */
export async function badActivation(site: Site): Promise<boolean> {
  const { seconds } = await release(site, { version: '3.2.0', publish: publishFailing, until: 'withdrawn' });
  return seconds <= withdrawnWithinS;
}

/** Releases a version while 1,000 visitors read the site, waits for what the guard decides, and prints what it cost. */
async function release(site: Site, { version, publish, percent, until }: Wish): Promise<{ seconds: number; errors: number }> {
  const registry = registryOfSite(site);
  await publish(registry, version);
  const { visits, leave } = readers(site.origin);
  await pause(beforeMs);
  const known = visits();
  let activation = await registry.activate(mfe, version, percent);
  const [first, started] = [visits(), performance.now()];
  if (activation.state !== (percent ? 'canary' : 'live'))
    throw new Error(`${version} is ${activation.state}: ${JSON.stringify(activation.reasons)}`);
  for (; activation.state !== until; activation = await registry.client.activation(activation.id)) {
    if (performance.now() - started > giveUpMs) throw new Error(`${version} is still ${activation.state}`);
    await pause(lookMs);
  }
  const seconds = (performance.now() - started) / 1000;
  const decided = visits();
  await pause(afterMs);
  const outcomes = await leave();

  const others = new Set(outcomes.slice(0, known).map(({ set }) => set));
  const touched = outcomes.slice(0, decided).filter(({ set }) => !others.has(set)).length;
  const errors = outcomes.filter(({ status }) => status !== 200).length;
  const of = (part: number) => `${part} of ${decided - first} page views (${((100 * part) / (decided - first)).toFixed(1)} %)`;
  const why = activation.reasons.map(({ reason }) => reason).join('; ');
  console.log(`  ${until} after ${seconds.toFixed(1)} s${why && `: ${why}`}`);
  console.log(`  meanwhile the release answered ${of(touched)}; error pages seen, also after: ${of(errors)}`);
  return { seconds, errors };
}
