/** What travels between the release tool, the registry and the shells as proof of where a release comes from. */
import * as z from 'zod';

const base64 = z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');
/** First 16 hex digits of SHA-256 over the key's SPKI DER. */
const keyId = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits');
const mfeName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be the name of a microfrontend');

/** Ed25519, over a domain prefix and the exact bytes. */
export const signatureSchema = z.object({ keyId, value: base64.length(88) });
export type Signature = z.infer<typeof signatureSchema>;

/** A release as it is published and handed out: the bytes of `release.json` in base64, and who vouches for them. */
export const signedReleaseSchema = z.object({ manifest: base64.min(4).max(400_000), signature: signatureSchema });
export type SignedRelease = z.infer<typeof signedReleaseSchema>;

/** A team's key. One that is no longer trusted stays in the keyring with `revokedAt`: what it has signed can still be told. */
export const teamKeySchema = z.object({
  id: keyId,
  team: z.string().min(1).max(100),
  /** SPKI DER in base64. */
  publicKey: base64.max(200),
  /** What it may sign; `*` is everything. */
  mfes: z.array(z.union([mfeName, z.literal('*')])).max(100),
  revokedAt: z.iso.datetime({ offset: true }).optional(),
});
export type TeamKey = z.infer<typeof teamKeySchema>;

/** Which key may sign which microfrontend. */
export const keyringSchema = z.object({
  /** Version of this format. */
  keyring: z.literal(1),
  /** Counts up with every change: nobody goes back to one in which a revoked key was good. */
  version: z.int().min(1),
  issuedAt: z.iso.datetime({ offset: true }),
  keys: z.array(teamKeySchema).max(1000),
});
export type Keyring = z.infer<typeof keyringSchema>;

/** The keyring as it travels: its exact bytes in base64, and the root key's signature over them. */
export const signedKeyringSchema = z.object({ document: base64.min(4).max(400_000), signature: base64.length(88) });
export type SignedKeyring = z.infer<typeof signedKeyringSchema>;
