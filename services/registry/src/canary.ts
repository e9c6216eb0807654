/** The end of a canary, and the way back from a full activation that turns out bad: without a trial, as all shells have both sets. */
import { randomBytes } from 'node:crypto';
import type { State } from '@colonnade/release/api';
import type { ClientSession, MongoClient } from 'mongodb';
import { commit, end, noteEnd, reasonText } from './activation-commit.ts';
import { type Actor, appendAudit, guardActor } from './audit.ts';
import type { ActivationDocument, Collections } from './collections.ts';
import { noCanary } from './errors.ts';
import type { KeyringStore } from './keyring-store.ts';
import { trustedRelease } from './release-trust.ts';
import { readState } from './site-state.ts';
import { inTransaction } from './transaction.ts';

export class Canary {
  readonly collections: Collections;
  private readonly client: MongoClient;
  readonly keyring: KeyringStore;

  constructor(collections: Collections, client: MongoClient, keyring: KeyringStore) {
    this.collections = collections;
    this.client = client;
    this.keyring = keyring;
  }

  /** Makes it live. @param id only this canary. @throws Problem 409 where there is none, ReleaseRefused where its key was revoked */
  async promote(actor: Actor, id?: string): Promise<ActivationDocument> {
    return await this.ended(id, async (before, activation, session) => {
      const { name, version } = activation;
      if (version !== null) await trustedRelease(this, { name, version }, session);
      return await commit({ collections: this.collections, session, before, activation, actor }, { canary: null });
    });
  }

  /** Takes it back. @param id only this canary. @throws Problem 409 where there is none */
  async withdraw(actor: Actor, reason: string, id?: string): Promise<ActivationDocument> {
    return await this.ended(id, async (before, activation, session) => {
      const reasons = [{ shell: null, reason }];
      await end({ collections: this.collections, session, before, activation, actor }, { state: 'withdrawn', reasons });
      return { ...activation, state: 'withdrawn', reasons: [...activation.reasons, ...reasons] };
    });
  }

  /**
   * Goes back to what was live before a full activation. What is on its way was tried beside the bad one, and ends too.
   * Nothing happens where something else is live by now.
   * @throws ReleaseRefused where the key of what was live before was revoked: nothing happens then either
   */
  async undo(id: string, reason: string): Promise<void> {
    const { collections, client } = this;
    await inTransaction(client, async (session) => {
      const before = await readState(collections, session);
      const bad = await collections.activations.findOne({ _id: id }, { session });
      if (bad === null || before.activation !== id) return;
      if (bad.from !== null) await trustedRelease(this, { name: bad.name, version: bad.from }, session);
      for (const [other, state] of [[before.candidate, 'refused'] as const, [before.canary, 'withdrawn'] as const]) {
        const activation = other && (await collections.activations.findOne({ _id: other.id }, { session }));
        if (activation === null) continue;
        const reasons = [{ shell: null, reason: `${bad.name}@${bad.version}, which was live beside it, was rolled back` }];
        await noteEnd({ collections, session, activation }, { state, reasons });
        const details = { activation: activation._id, name: activation.name, version: activation.version, reason: reasonText(reasons) };
        await appendAudit(collections, session, { actor: guardActor, action: state, details });
      }
      await noteEnd({ collections, session, activation: bad }, { state: 'withdrawn', reasons: [{ shell: null, reason }] });
      const activation: ActivationDocument = {
        ...{ _id: randomBytes(6).toString('hex'), kind: 'rollback', name: bad.name, version: bad.from, from: bad.version, percent: null },
        ...{ state: 'trying', reasons: [{ shell: null, reason }], expected: [], reports: [], by: guardActor.name, at: new Date() },
        ...{ decidedAt: null, liveSequence: null, liveAt: null, replaced: null, beacons: 0 },
      };
      await collections.activations.insertOne(activation, { session });
      await commit({ collections, session, before, activation, actor: guardActor }, { canary: null });
    });
  }

  private async ended(
    id: string | undefined,
    work: (before: State, activation: ActivationDocument, session: ClientSession) => Promise<ActivationDocument>,
  ): Promise<ActivationDocument> {
    const { collections, client } = this;
    return await inTransaction(client, async (session) => {
      const before = await readState(collections, session);
      if (before.canary === null || (id !== undefined && before.canary.id !== id)) throw noCanary();
      const activation = await collections.activations.findOne({ _id: before.canary.id }, { session });
      if (activation === null) throw noCanary();
      return await work(before, activation, session);
    });
  }
}
