import { randomInt } from 'node:crypto';

/** Crockford's base32: no I, L, O, U, which people mistake on the telephone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What a reference looks like: `NV-7K2M-Q0XD`. */
export const referencePattern = /^NV-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;

/** A new reference: 40 random bits, so that nobody finds another's by counting. */
export function newReference(): string {
  const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `NV-${four()}-${four()}`;
}
