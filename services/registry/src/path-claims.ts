/** Which microfrontend owns which path. No two may claim one: neither order between them would be right. */
import { conflicts } from '@colonnade/mfe/routing';
import { ReleaseRefused } from '@colonnade/release/refusal';

export interface Claims {
  name: string;
  version: string;
  paths: readonly string[];
}

/**
 * Compares a release with those that would be live beside it.
 * @throws ReleaseRefused path-conflict
 */
export function refusePathConflicts(release: Claims, others: readonly Claims[]): void {
  for (const other of others) {
    if (other.name === release.name) continue;
    for (const path of release.paths) {
      const taken = other.paths.find((each) => conflicts(path, each));
      if (taken === undefined) continue;
      const claim = taken === path ? path : `${path} (there ${taken})`;
      const told = `${release.name}@${release.version} and the live ${other.name}@${other.version} both claim ${claim}.`;
      throw new ReleaseRefused('path-conflict', `${told} Choose another path, or let the other team give it up first.`);
    }
  }
}
