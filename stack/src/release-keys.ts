import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newKeyPair, readPrivateKey } from '@colonnade/release/keys';
import { newStaffToken } from '@colonnade/service/staff';

/** Who may release on this machine. Elsewhere the operator keeps the root key, and each team its own. */
export interface ReleaseKeys {
  root: KeyObject;
  team: KeyObject;
  /** Path of the root key's public half, for the registry and the shell. */
  rootPublicFile: string;
  /** An operator's. */
  token: string;
  /** Signs links to previews. */
  previewKey: string;
  /** Shells prove themselves with it to the registry. */
  shellToken: string;
}

/** The keys in a data directory: made once, readable by their owner only. `pnpm mfe` finds them there. */
export function releaseKeys(dataDir: string): ReleaseKeys {
  const dir = keysDir(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const kept = (name: string, make: () => string): string => {
    const file = path.join(dir, name);
    if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
    return readFileSync(file, 'utf8').trim();
  };
  const root = readPrivateKey(kept('root.pem', () => newKeyPair().privateKey));
  kept('root.pub.pem', () => createPublicKey(root).export({ type: 'spki', format: 'pem' }).toString());
  return {
    root,
    team: readPrivateKey(kept('team.pem', () => newKeyPair().privateKey)),
    rootPublicFile: path.join(dir, 'root.pub.pem'),
    token: kept(operatorToken, newStaffToken),
    previewKey: kept('preview.key', newSecret),
    shellToken: kept('shell.token', newSecret),
  };
}

/** In place of one that was revoked. */
export function newOperatorToken(dataDir: string): string {
  const token = newStaffToken();
  writeFileSync(path.join(keysDir(dataDir), operatorToken), token, { mode: 0o600 });
  return token;
}

const operatorToken = 'operator.token';
const keysDir = (dataDir: string) => path.join(dataDir, 'keys');
const newSecret = () => randomBytes(32).toString('base64url');
