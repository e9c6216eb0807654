/** Tokens of preview links: whoever has one may see a release that is not live, until it expires. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** `r`: `name@version`; `e`: Unix seconds after which it is worth nothing. */
const payloadSchema = z.strictObject({ r: z.string().min(3).max(130), e: z.int().positive() });
const maxCharacters = 400;

/** Makes a token: `{payload}.{mac}`, both base64url; the MAC is HMAC-SHA-256 over the payload's text. */
export function signPreviewToken({ release, expiresAt }: { release: string; expiresAt: Date }, key: string): string {
  const payload = Buffer.from(JSON.stringify({ r: release, e: Math.floor(expiresAt.getTime() / 1000) })).toString('base64url');
  return `${payload}.${mac(payload, key).toString('base64url')}`;
}

/** What a token says: for which release it is, or that it is worth nothing. */
export type PreviewToken = { release: string; expiresAt: Date } | 'invalid' | 'expired';

/** Reads a token that came from outside. Nothing in it is believed before its MAC fits. */
export function readPreviewToken(token: string, key: string, now: Date): PreviewToken {
  const [, payload, given] = (token.length <= maxCharacters && /^([\w-]+)\.([\w-]{43})$/.exec(token)) || [];
  if (payload === undefined || given === undefined) return 'invalid';
  if (!timingSafeEqual(Buffer.from(given, 'base64url'), mac(payload, key))) return 'invalid';
  const { r, e } = payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const expiresAt = new Date(e * 1000);
  return expiresAt > now ? { release: r, expiresAt } : 'expired';
}

const prefix = 'colonnade-preview-1\0';

function mac(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(prefix).update(text).digest();
}
