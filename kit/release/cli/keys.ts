/** `keys` makes key pairs; `keyring` says, by the root key's word, which key may sign what. */
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CommandFailed, minute, table, UsageError } from '../src/command.ts';
import { openKeyring } from '../src/keyring.ts';
import { keyId, newKeyPair, publicKeyText, readPrivateKey, readPublicKey } from '../src/keys.ts';
import { type Keyring, keyringSchema, type SignedKeyring, type TeamKey, teamKeySchema } from '../src/schema.ts';
import { signKeyring } from '../src/signing.ts';
import { keyFile, readRootPrivateKey, rootKeyFile, writeKeyFile } from './key-files.ts';
import { operatorRegistry, registry } from './registry.ts';
import { ownName } from './release-name.ts';

/** `keys root` and `keys team`: a private key in a file, its public half to hand on. */
export async function keys([kind, ...rest]: string[]): Promise<void> {
  if (kind !== 'root' && kind !== 'team') throw new UsageError('keys makes a root or a team key: keys root, keys team');
  const { values } = parseArgs({ args: rest, options: { mfes: { type: 'string' }, team: { type: 'string' }, out: { type: 'string' } } });
  if (kind === 'root' && (values.mfes ?? values.team) !== undefined) throw new UsageError('The root key signs no microfrontend.');
  const mfes = kind === 'team' ? mfesIn(values.mfes ?? ownName()) : [];
  const { out = keyFile('.', kind) } = values;
  const pair = newKeyPair();
  writeKeyFile(out, pair.privateKey);
  console.log(`${out}: a new ${kind} key ${pair.id}. Keep the file safe, and out of git: whoever has it signs as you.\n`);
  if (kind === 'root') {
    const publicFile = out.replace(/(\.pem)?$/, '.pub.pem');
    writeFileSync(publicFile, createPublicKey(pair.privateKey).export({ type: 'spki', format: 'pem' }));
    console.log(`Its public half, which registry and shells get, is in ${publicFile}:\n\n  ROOT_KEY=${pair.publicKey}`);
  } else {
    const team = JSON.stringify(values.team ?? 'Your team');
    console.log(
      `Send this to the operator, who runs it:\n\n  pnpm mfe keyring add --team ${team} --mfes ${mfes.join(',')} --key ${pair.publicKey}`,
    );
  }
}

/** `keyring show`, `keyring add`, `keyring revoke`: the last two make the next version, signed by the root. */
export async function keyring([command, ...rest]: string[]): Promise<void> {
  if (command === 'show') return await show(rest);
  if (command === 'add') return await add(rest);
  if (command === 'revoke') return await revoke(rest);
  throw new UsageError('keyring does: show, add, revoke');
}

async function show(args: string[]): Promise<void> {
  parseArgs({ args });
  const signed = await registry().keyring();
  if (signed === null) return console.log('There is no keyring yet. Put a key into one: pnpm mfe keyring add');
  const isVerified = rootKeyFile() !== undefined;
  const { version, issuedAt, keys: known } = isVerified ? opened(signed) : keyringSchema.parse(JSON.parse(decoded(signed)));
  const word = isVerified ? 'its signature by the root key fits' : 'not verified, as the root key is not here';
  console.log(`Version ${version}, of ${minute(issuedAt)} UTC; ${word}\n`);
  const rows = known.map(({ id, team, mfes, revokedAt }) => [id, team, mfes.join(', '), revokedAt ? minute(revokedAt) : '']);
  console.log(table(['key', 'team', 'may sign', 'revoked (UTC)'], rows));
}

async function add(args: string[]): Promise<void> {
  const options = { team: { type: 'string' }, mfes: { type: 'string' }, key: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options });
  if (values.team === undefined || values.key === undefined) throw new UsageError('keyring add needs --team, --mfes and --key.');
  const publicKey = publicKeyIn(values.key);
  const entry = teamKeySchema.safeParse({ id: keyId(readPublicKey(publicKey)), team: values.team, publicKey, mfes: mfesIn(values.mfes) });
  if (!entry.success) throw new UsageError(entry.error.issues.map(({ path, message }) => `${path[0] as string}: ${message}`).join('\n'));
  const { id, team, mfes } = entry.data;
  const version = await change((known) => {
    if (known.some((key) => key.id === id && key.revokedAt !== undefined))
      throw new CommandFailed(`Key ${id} was revoked, and stays so. The team has to make a new one: pnpm mfe keys team`);
    return [...known.filter((key) => key.id !== id), entry.data];
  });
  console.log(`Key ${id} of ${team} may sign ${mfes.join(', ')}. The keyring is at version ${version}.`);
}

async function revoke(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [id] = positionals;
  if (positionals.length !== 1) throw new UsageError('keyring revoke needs the id of one key. See: pnpm mfe keyring show');
  const version = await change((known) => {
    const found = known.find((key) => key.id === id);
    if (found === undefined) throw new CommandFailed(`No key ${id} is in the keyring. See: pnpm mfe keyring show`);
    if (found.revokedAt !== undefined) throw new CommandFailed(`Key ${id} is revoked since ${minute(found.revokedAt)} UTC.`);
    return known.map((key) => (key === found ? { ...key, revokedAt: new Date().toISOString() } : key));
  });
  console.log(`Key ${id} is revoked: nothing it has signed can be published or activated. The keyring is at version ${version}.`);
  console.log('What of it is live stays live. See: pnpm mfe status');
}

/** Makes the next version of the keyring, signs it and puts it where it counts. @returns its version */
async function change(next: (known: readonly TeamKey[]) => TeamKey[]): Promise<number> {
  const root = readRootPrivateKey();
  const client = operatorRegistry();
  const signed = await client.keyring();
  const before = signed === null ? { version: 0, keys: [] } : opened(signed);
  const document: Keyring = { keyring: 1, version: before.version + 1, issuedAt: new Date().toISOString(), keys: next(before.keys) };
  await client.putKeyring(signKeyring(Buffer.from(JSON.stringify(keyringSchema.parse(document))), root));
  return document.version;
}

/** Never signs on what another root has signed. */
function opened(signed: SignedKeyring): Keyring {
  return openKeyring(signed, createPublicKey(readRootPrivateKey()), 0);
}

const decoded = ({ document }: SignedKeyring) => Buffer.from(document, 'base64').toString();

/** The public half, given as text or as the file of the key. */
function publicKeyIn(text: string): string {
  try {
    if (!existsSync(text)) return publicKeyText(readPublicKey(text));
    const pem = readFileSync(text, 'utf8');
    return publicKeyText(pem.includes('PRIVATE') ? readPrivateKey(pem) : createPublicKey(pem));
  } catch (error) {
    throw new UsageError(`--key ${(error as Error).message}, as "pnpm mfe keys team" prints it.`);
  }
}

function mfesIn(text: string | undefined): string[] {
  const mfes = (text ?? '').split(',').map((name) => name.trim());
  const parsed = teamKeySchema.shape.mfes.safeParse(mfes);
  if (parsed.success) return mfes;
  throw new UsageError('Give --mfes the microfrontends that the key may sign: --mfes mfe-news,mfe-events');
}
