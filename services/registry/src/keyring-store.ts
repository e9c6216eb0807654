/** The keyring that this registry goes by. */
import type { KeyObject } from 'node:crypto';
import type { State } from '@colonnade/release/api';
import { maySign, openKeyring } from '@colonnade/release/keyring';
import type { Keyring, SignedKeyring } from '@colonnade/release/schema';
import type { ClientSession, MongoClient } from 'mongodb';
import { type Actor, appendAudit } from './audit.ts';
import type { Collections } from './collections.ts';
import { keyDropped, keyNeeded, noKeyring, otherKeyring } from './errors.ts';
import { changeState, readState } from './site-state.ts';
import { inTransaction } from './transaction.ts';

export class KeyringStore {
  private readonly collections: Collections;
  private readonly client: MongoClient;
  private readonly rootKey: KeyObject;

  constructor(collections: Collections, client: MongoClient, rootKey: KeyObject) {
    this.collections = collections;
    this.client = client;
    this.rootKey = rootKey;
  }

  /** As it is handed out, or null where there is none yet. */
  async signed(session?: ClientSession): Promise<SignedKeyring | null> {
    return (await this.collections.keyring.findOne({ _id: 'keyring' }, { session }))?.signed ?? null;
  }

  /**
   * Opened, and so verified each time: whoever can write to the database cannot make a key good.
   * @throws Problem 409 where there is none yet
   */
  async read(session?: ClientSession): Promise<Keyring> {
    const signed = await this.signed(session);
    if (signed === null) throw noKeyring();
    return openKeyring(signed, this.rootKey, 0);
  }

  /**
   * Replaces it by a newer one.
   * @returns false where it is the present one
   * @throws ReleaseRefused bad-signature, bad-keyring, old-keyring
   * @throws Problem 409 where it is another of the same version, lacks a key, or takes from one what is served
   */
  async replace(signed: SignedKeyring, actor: Actor): Promise<boolean> {
    const { collections, rootKey } = this;
    return await inTransaction(this.client, async (session) => {
      const known = await collections.keyring.findOne({ _id: 'keyring' }, { session });
      const keyring = openKeyring(signed, rootKey, known?.version ?? 0);
      const { version } = keyring;
      if (known !== null) {
        if (known.signed.document === signed.document) return false;
        if (known.version === version) throw otherKeyring(version);
        const kept = new Set(keyring.keys.map(({ id }) => id));
        for (const { id } of openKeyring(known.signed, rootKey, 0).keys) if (!kept.has(id)) throw keyDropped(id);
      }
      const before = await readState(collections, session);
      await this.refuseUnfit(keyring, before, session);
      await collections.keyring.updateOne({ _id: 'keyring' }, { $set: { version, signed } }, { upsert: true, session });
      await changeState(collections, session, { before, change: { keyringVersion: version } });
      const revoked = keyring.keys.filter(({ revokedAt }) => revokedAt !== undefined).length;
      await appendAudit(collections, session, { actor, action: 'keyring', details: { version, keys: keyring.keys.length, revoked } });
      return true;
    });
  }

  /** Shells verify all of a set each time they start it: one release that nobody may have signed would keep every other from changing. */
  private async refuseUnfit(keyring: Keyring, { live, candidate, canary }: State, session: ClientSession): Promise<void> {
    const ids = [
      ...Object.entries(live).map(([name, version]) => `${name}@${version}`),
      ...[candidate, canary].flatMap((each) => (each ? [`${each.name}@${each.version}`] : [])),
    ];
    const projection = { name: 1, version: 1, signature: 1 };
    for (const { name, version, signature } of await this.collections.releases
      .find({ _id: { $in: ids } }, { session, projection })
      .toArray()) {
      const key = keyring.keys.find(({ id }) => id === signature.keyId);
      if (!key || !maySign(key, name)) throw keyNeeded(name, version, signature.keyId);
    }
  }
}
