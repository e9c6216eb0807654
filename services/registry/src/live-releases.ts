import type { State } from '@colonnade/release/api';
import type { ClientSession } from 'mongodb';
import type { Collections } from './collections.ts';
import type { Claims } from './path-claims.ts';

/** The releases that a state has live, with the paths they claim. */
export async function liveReleases({ releases }: Collections, { live }: State, session?: ClientSession): Promise<Claims[]> {
  const ids = Object.entries(live).map(([name, version]) => `${name}@${version}`);
  return await releases.find({ _id: { $in: ids } }, { session, projection: { _id: 0, name: 1, version: 1, paths: 1 } }).toArray();
}
