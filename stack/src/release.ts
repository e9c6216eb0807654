import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from '@colonnade/mfe/build/files';
import { RegistryClient } from '@colonnade/release/client';
import { openKeyring } from '@colonnade/release/keyring';
import { keyId, publicKeyText, readRootKey } from '@colonnade/release/keys';
import { publishRelease } from '@colonnade/release/publish';
import { RegistryAway, RegistryRefused } from '@colonnade/release/registry-request';
import type { Keyring } from '@colonnade/release/schema';
import { signKeyring } from '@colonnade/release/signing';
import { createStaff, prepareStaff } from '@colonnade/service/staff';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Buildable, BuiltRelease } from './parts.ts';
import { PartFailed } from './process.ts';
import { newOperatorToken, type ReleaseKeys } from './release-keys.ts';

const waitS = 30;
const duplicateKey = 11_000;

interface ReleaseOptions {
  registryUrl: string;
  /** Of the registry's own database: whoever may write there may make an operator. */
  mongodbUri: string;
  keys: ReleaseKeys;
  dataDir: string;
  tell(line: string): void;
}

/**
 * Publishes builds and activates each, through the registry as every team does. What was released from here before is left
 * as it is: an operator may have decided otherwise since. Where one is refused, what is live of it stays, and that is told.
 * @throws PartFailed with what the registry says
 */
export async function releaseAll(releases: BuiltRelease[], options: ReleaseOptions): Promise<void> {
  const { registryUrl, keys, dataDir, tell } = options;
  const client = new RegistryClient(registryUrl);
  try {
    await asOperator(options, (operator) => trustTeam(operator, keys));
    const before = readReleased(dataDir);
    for (const one of releases) {
      try {
        await release(client, one, before, options);
      } catch (error) {
        if (!(error instanceof RegistryRefused || error instanceof PartFailed)) throw error;
        const { name, version } = one;
        const { [name]: live } = (await client.state()).live;
        if (live === undefined) throw error;
        tell(`${name}@${version} is not released, and ${live} stays live: ${error.message}`);
      }
    }
  } catch (error) {
    if (error instanceof RegistryRefused) throw new PartFailed(`The registry refuses: ${error.message}`, { cause: error });
    if (error instanceof RegistryAway) throw new PartFailed(error.message, { cause: error });
    throw error;
  }
}

async function release(
  client: RegistryClient,
  { name, version, dir }: BuiltRelease,
  before: Record<string, string>,
  options: ReleaseOptions,
): Promise<void> {
  const { keys, dataDir, tell } = options;
  if (await publish(client, dir, keys)) tell(`published ${name}@${version}`);
  // A registry that is new knows of nothing that was released before.
  if (before[name] === version && (await client.history(name)).length > 0) return;
  await asOperator(options, (operator) => activate(operator, name, version, tell));
  before[name] = version;
  writeJson(fileIn(dataDir), before);
}

/** Whether each of them was released from here before. */
export function wereReleased(releases: BuiltRelease[], dataDir: string): boolean {
  const before = readReleased(dataDir);
  return releases.every(({ name, version }) => before[name] === version);
}

/**
 * Forgets what was released from here where the embedded MongoDB's data are gone, and the registry's memory with them. The shell
 * would keep to what it knows, and take nothing from a registry that has lost it.
 * @returns whether there was something to forget
 */
export function forgetLostReleases(dataDir: string): boolean {
  const left = [fileIn(dataDir), path.join(dataDir, 'shell/last-good.json')].filter((file) => existsSync(file));
  if (existsSync(path.join(dataDir, 'mongo')) || left.length === 0) return false;
  for (const file of left) rmSync(file);
  return true;
}

/** Development: the release `dev` of a microfrontend is its build folder, which changes in place. */
export function linkRelease(dataDir: string, part: Buildable): void {
  const to = path.join(dataDir, 'releases', part.name, 'dev');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(path.join(part.dir, 'dist-dev'), to);
}

/** Development: says which release of each microfrontend is live; the shell follows this file. */
export function writeReleaseSet(dataDir: string, mfes: Record<string, string>): void {
  mkdirSync(dataDir, { recursive: true });
  writeJson(path.join(dataDir, 'release-set.json'), { mfes });
}

/** Puts the key of this machine into the keyring, where it is not yet. */
async function trustTeam(client: RegistryClient, { root, team, rootPublicFile }: ReleaseKeys): Promise<void> {
  const known = await client.keyring();
  const keyring = known && openKeyring(known, readRootKey(rootPublicFile), 0);
  const id = keyId(team);
  if (keyring?.keys.some((key) => key.id === id)) return;
  const next: Keyring = {
    keyring: 1,
    version: (keyring?.version ?? 0) + 1,
    issuedAt: new Date().toISOString(),
    keys: [...(keyring?.keys ?? []), { id, team: 'this machine', publicKey: publicKeyText(team), mfes: ['*'] }],
  };
  await client.putKeyring(signKeyring(Buffer.from(JSON.stringify(next)), root));
}

/** A version is made of its sources here: what has it already is the same, though it may have been built from another commit. */
async function publish(client: RegistryClient, dir: string, { team }: ReleaseKeys): Promise<boolean> {
  try {
    return await publishRelease(client, dir, team);
  } catch (error) {
    if (error instanceof RegistryRefused && error.code === 'version-taken') return false;
    throw error;
  }
}

async function activate(client: RegistryClient, name: string, version: string, tell: (line: string) => void): Promise<void> {
  let activation: Awaited<ReturnType<RegistryClient['activate']>>;
  try {
    activation = await client.activate({ name, version });
  } catch (error) {
    if (error instanceof RegistryRefused && error.code === 'already-live') return;
    throw error;
  }
  const until = performance.now() + waitS * 1000;
  while (activation.state === 'trying' && performance.now() < until) activation = await client.activation(activation.id);
  const reasons = activation.reasons.map(({ reason }) => reason).join('; ');
  if (activation.state !== 'live') throw new PartFailed(`${name}@${version} does not go live: ${reasons || activation.state}`);
  tell(`activated ${name}@${version}`);
}

/**
 * Where the registry's database does not know this machine's operator yet, it is told. A token that was revoked stays so, and
 * is replaced: whoever may write to that database may make an operator.
 */
async function asOperator(options: ReleaseOptions, work: (operator: RegistryClient) => Promise<void>): Promise<void> {
  const { registryUrl, mongodbUri, keys, dataDir, tell } = options;
  const ask = () => work(new RegistryClient(registryUrl, keys.token));
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RegistryRefused) || error.status !== 401) throw error;
  }
  const mongo = new MongoClient(mongodbUri, { serverSelectionTimeoutMS: 5000, writeConcern: { w: 'majority' } });
  const makeOperator = () => createStaff(mongo.db(), { name: 'this machine', role: 'operator', token: keys.token });
  try {
    await prepareStaff(mongo.db());
    await makeOperator().catch(async (error) => {
      if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
      keys.token = newOperatorToken(dataDir);
      await makeOperator();
      tell('the operator token of this machine was revoked: it has a new one, in keys/operator.token of its data');
    });
  } finally {
    await mongo.close();
  }
  await ask();
}

/** The version of each microfrontend that was released from here last. */
const fileIn = (dataDir: string) => path.join(dataDir, 'released.json');

function readReleased(dataDir: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
