/** The guard at work: looks at what the shells have counted and acts on it. Several instances may look at once: one of them acts. */
import { ReleaseRefused } from '@colonnade/release/refusal';
import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import { guardActor } from './audit.ts';
import type { Canary } from './canary.ts';
import type { Collections } from './collections.ts';
import { countsOf } from './counts.ts';
import { type GuardSettings, judge } from './guard.ts';
import { readState } from './site-state.ts';

export interface WatchOptions {
  collections: Collections;
  canary: Canary;
  settings: GuardSettings;
  log: Log;
  /** Activations of which was told that they cannot be undone: once, not at each look. */
  told: Set<string>;
}

/** One look at the newest full activation and at the canary. */
export async function watch({ collections, canary, settings, log, told }: WatchOptions): Promise<void> {
  await watchLive();
  await watchCanary();

  /** Compared with what was live before it, as nothing else is live beside it. */
  async function watchLive(): Promise<void> {
    const { activation: id } = await readState(collections);
    const activation = id === null ? null : await collections.activations.findOne({ _id: id, kind: 'activate' });
    if (!activation?.liveAt || activation.replaced === null) return;
    const ageMs = Date.now() - activation.liveAt.getTime();
    if (ageMs > settings.windowMs) return;
    const fresh = await countsOf(collections, activation._id, activation.liveAt);
    const base = await countsOf(collections, activation.replaced, new Date(activation.liveAt.getTime() - settings.windowMs));
    const verdict = judge({ fresh, base, beacons: activation.beacons, ageMs }, settings);
    if (verdict.decision !== 'withdraw') return;
    const { _id, name, version } = activation;
    try {
      await canary.undo(_id, verdict.reason);
    } catch (err) {
      if (!(err instanceof ReleaseRefused)) throw err;
      if (!told.has(_id)) {
        const details = { activation: _id, name, version, from: activation.from, reason: err.message, ...fresh };
        log.error({ ...details, alert: true }, 'release fails and cannot be rolled back by the guard: somebody has to look');
      }
      told.add(_id);
      return;
    }
    log.warn({ activation: _id, name, version, ...fresh }, 'release rolled back by the guard');
  }

  async function watchCanary(): Promise<void> {
    const { canary: running, activation } = await readState(collections);
    // With nothing live there is nothing to compare with: a person decides.
    if (running === null || activation === null) return;
    const since = new Date(running.at);
    const { beacons = 0 } = (await collections.activations.findOne({ _id: running.id }, { projection: { beacons: 1 } })) ?? {};
    const [fresh, base] = await Promise.all([countsOf(collections, running.id, since), countsOf(collections, activation, since)]);
    const verdict = judge({ fresh, base, beacons, ageMs: Date.now() - since.getTime() }, settings);
    if (verdict.decision === 'wait') return;
    try {
      if (verdict.decision === 'promote') await canary.promote(guardActor, running.id);
      else await canary.withdraw(guardActor, verdict.reason, running.id);
    } catch (error) {
      // Somebody was faster; or its key was revoked, and a person decides.
      if ((error instanceof Problem && error.status === 409) || error instanceof ReleaseRefused) return;
      throw error;
    }
    log.info({ activation: running.id, name: running.name, version: running.version, ...fresh }, `canary: ${verdict.decision}`);
  }
}
