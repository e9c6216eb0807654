import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPreviewToken, signPreviewToken } from './preview-token.ts';

const key = 'a preview key of at least 32 characters';
const now = new Date('2026-11-21T09:00:00Z');
const later = new Date('2026-11-21T10:00:00Z');
const release = 'mfe-news@1.5.0-rc.1';
const token = signPreviewToken({ release, expiresAt: later }, key);

test('a token names its release until it expires', () => {
  expect(readPreviewToken(token, key, now)).toEqual({ release, expiresAt: later });
  expect(readPreviewToken(token, key, new Date(later.getTime() - 1))).toMatchObject({ release });
  expect(readPreviewToken(token, key, later)).toBe('expired');
});

test('a token of another key, or one that was changed, is worth nothing', () => {
  const [payload = '', mac = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ r: 'mfe-news@2.0.0', e: 4_000_000_000 })).toString('base64url');
  // Control: the same probe with the text that was signed.
  expect(readPreviewToken(`${payload}.${mac}`, key, now)).toMatchObject({ release });
  for (const other of [
    `${forged}.${mac}`,
    `${payload}.${mac.toLowerCase()}`,
    `${payload}.${'A'.repeat(43)}`,
    payload,
    `${payload}.`,
    `.${mac}`,
  ])
    expect(readPreviewToken(other, key, now), other).toBe('invalid');
  expect(readPreviewToken(token, `${key}!`, now)).toBe('invalid');
  // Signed with the same key for another purpose.
  const elsewhere = createHmac('sha256', key).update(payload).digest('base64url');
  expect(readPreviewToken(`${payload}.${elsewhere}`, key, now)).toBe('invalid');
});

test('whatever else comes is worth nothing, and never an exception', () => {
  for (const other of ['', '.', 'x', 'null', `${'a'.repeat(500)}.${'a'.repeat(43)}`, `${token}\n`, `${token}=`, ' '.repeat(100_000)])
    expect(readPreviewToken(other, key, now), other.slice(0, 40)).toBe('invalid');
});
