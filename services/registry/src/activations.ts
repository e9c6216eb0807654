/** Activating in two phases over all shells: each tries the release; only when all can serve it does the pointer move. */
import { randomBytes } from 'node:crypto';
import type { Report, rollbackSchema, State } from '@colonnade/release/api';
import { ReleaseRefused } from '@colonnade/release/refusal';
import type { ClientSession, MongoClient } from 'mongodb';
import type { z } from 'zod';
import { commit, type Ending, end } from './activation-commit.ts';
import { type Actor, appendAudit, registryActor } from './audit.ts';
import type { ActivationDocument, Collections } from './collections.ts';
import { connectedShells } from './connections.ts';
import { alreadyLive, busy, noSuchActivation, nothingBefore, otherLive } from './errors.ts';
import { historyOf } from './history.ts';
import type { KeyringStore } from './keyring-store.ts';
import { liveReleases } from './live-releases.ts';
import { refusePathConflicts } from './path-claims.ts';
import { trustedRelease } from './release-trust.ts';
import { rollbackTarget } from './rollback-target.ts';
import { changeState, readState } from './site-state.ts';
import { inTransaction } from './transaction.ts';

export interface ActivationsOptions {
  collections: Collections;
  client: MongoClient;
  keyring: KeyringStore;
  /** A shell that has not reported by then counts as failed. */
  trialMs: number;
}

export class Activations {
  private readonly options: ActivationsOptions;

  constructor(options: ActivationsOptions) {
    this.options = options;
  }

  /** Begins to make a version live, or a canary. @throws Problem 409 where another is on its way */
  async activate({ name, version, percent = null }: { name: string; version: string; percent?: number | null }, actor: Actor) {
    return await this.begin(actor, async () => ({ kind: 'activate', name, version, percent }));
  }

  /**
   * Begins to go back to the version that was live before. Skips what was withdrawn, and what a revoked key has signed.
   * @param from only while this version is live
   */
  async rollBack({ name, from }: z.infer<typeof rollbackSchema>, actor: Actor): Promise<ActivationDocument> {
    const { collections, keyring } = this.options;
    return await this.begin(actor, async (session, before) => {
      const live = liveVersion(before, name);
      if (from !== undefined && from !== live) throw otherLive(name, from, live);
      const history = await historyOf(collections, name, session);
      // Its newest word on each version: one that was withdrawn may have been good later.
      const states = new Map(history.map(({ version, state }) => [version, state]));
      const ids = history.map(({ version }) => `${name}@${version}`);
      const known = await collections.releases.find({ _id: { $in: ids } }, { session, projection: { version: 1, signature: 1 } }).toArray();
      const keys = new Map((await keyring.read(session)).keys.map((key) => [key.id, key]));
      const trusted = new Set(
        known.filter(({ signature }) => keys.get(signature.keyId)?.revokedAt === undefined).map((each) => each.version),
      );
      const version = rollbackTarget(history, (each) => trusted.has(each) && states.get(each) !== 'withdrawn');
      if (version === null) throw nothingBefore(name);
      return { kind: 'rollback', name, version, percent: null };
    });
  }

  /** Begins to take a microfrontend off the site. */
  async deactivate(name: string, actor: Actor): Promise<ActivationDocument> {
    return await this.begin(actor, async () => ({ kind: 'deactivate', name, version: null, percent: null }));
  }

  async read(id: string): Promise<ActivationDocument> {
    const found = await this.options.collections.activations.findOne({ _id: id });
    if (found === null) throw noSuchActivation();
    return found;
  }

  /** Takes a shell's word on the candidate. One no ends it; the last yes makes it live. Of a candidate that is none any more, nothing comes. */
  async report(shell: string, { candidate, ok, reason, tookMs }: Report): Promise<void> {
    const { collections, client } = this.options;
    await inTransaction(client, async (session) => {
      const before = await readState(collections, session);
      if (before.candidate?.id !== candidate) return;
      const $push = { reports: { shell, ok, tookMs } };
      // Once for each shell: a report that is repeated counts once.
      const filter = { _id: candidate, 'reports.shell': { $ne: shell } };
      const activation = await collections.activations.findOneAndUpdate(filter, { $push }, { session, returnDocument: 'after' });
      if (activation === null) return;
      const ending: Ending = { collections, session, before, activation, actor: registryActor };
      if (!ok) return await end(ending, { state: 'refused', reasons: [{ shell, reason: reason ?? 'its trial failed' }] });
      const yes = new Set(activation.reports.filter((each) => each.ok).map((each) => each.shell));
      if (!activation.expected.every((each) => yes.has(each))) return;
      const untrusted = await this.untrusted(activation, session);
      if (untrusted === null) await commit(ending);
      else await end(ending, { state: 'refused', reasons: [{ shell: null, reason: untrusted }] });
    });
  }

  /** Ends a trial whose time is over. Any instance may find that, at any time. */
  async expire(): Promise<void> {
    const { collections, client, trialMs } = this.options;
    const overdue = ({ candidate }: State) => candidate !== null && Date.parse(candidate.at) + trialMs <= Date.now();
    if (!overdue(await readState(collections))) return;
    await inTransaction(client, async (session) => {
      const before = await readState(collections, session);
      const activation = before.candidate && (await collections.activations.findOne({ _id: before.candidate.id }, { session }));
      if (activation === null || !overdue(before)) return;
      const heard = new Set(activation.reports.map(({ shell }) => shell));
      const reasons = activation.expected
        .filter((shell) => !heard.has(shell))
        .map((shell) => ({ shell, reason: `has not tried it within ${trialMs / 1000} s` }));
      await end({ collections, session, before, activation, actor: registryActor }, { state: 'refused', reasons });
    });
  }

  /** Why it must not be made live, where its key was revoked during its trial. */
  private async untrusted({ name, version }: ActivationDocument, session: ClientSession): Promise<string | null> {
    if (version === null) return null;
    try {
      await trustedRelease(this.options, { name, version }, session);
      return null;
    } catch (error) {
      if (error instanceof ReleaseRefused) return error.message;
      throw error;
    }
  }

  private async begin(actor: Actor, decide: (session: ClientSession, before: State) => Promise<Wish>): Promise<ActivationDocument> {
    const { collections, client } = this.options;
    const expected = await connectedShells(collections);
    return await inTransaction(client, async (session) => {
      const before = await readState(collections, session);
      if (before.candidate !== null) throw busy('candidate', before.candidate);
      if (before.canary !== null) throw busy('canary', before.canary);
      const wish = await decide(session, before);
      const from = liveVersion(before, wish.name);
      if (wish.version === from) throw alreadyLive(wish.name, from);
      if (wish.version !== null) await this.refuseUnfit(wish.name, wish.version, before, session);
      const activation: ActivationDocument = {
        ...{ _id: randomBytes(6).toString('hex'), ...wish, from, state: 'trying', reasons: [], expected, reports: [] },
        ...{ by: actor.name, at: new Date(), decidedAt: null, liveSequence: null, liveAt: null, replaced: null, beacons: 0 },
      };
      await collections.activations.insertOne(activation, { session });
      const { _id: id, kind, name, version, percent, by, at } = activation;
      const details = { activation: id, name, version, percent, shells: expected.length };
      await appendAudit(collections, session, { actor, action: kind, details });
      // Nobody serves: whoever comes will verify and try by itself.
      if (expected.length === 0) return await commit({ collections, session, before, activation, actor });
      const candidate = { id, name, version, percent, by, at: at.toISOString() };
      await changeState(collections, session, { before, change: { candidate } });
      return activation;
    });
  }

  /** What was checked when it was published may have changed: its key, and what is live beside it. */
  private async refuseUnfit(name: string, version: string, before: State, session: ClientSession): Promise<void> {
    const { collections } = this.options;
    const release = await trustedRelease(this.options, { name, version }, session);
    refusePathConflicts(release, await liveReleases(collections, before, session));
  }
}

type Wish = Pick<ActivationDocument, 'kind' | 'name' | 'version' | 'percent'>;

function liveVersion({ live }: State, name: string): string | null {
  return Object.hasOwn(live, name) ? (live[name] as string) : null;
}
