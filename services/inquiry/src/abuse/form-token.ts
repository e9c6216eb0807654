/**
 * When a form was shown, signed, so that a robot that reads a form and posts it at once is slowed down.
 *
 * The rule: an inquiry is taken up when its form is a second old; one that is sent sooner waits for the rest of it. It is
 * neither refused nor dropped, because a person can be that fast, with a form that the browser or a password manager
 * fills; nobody notices the wait but who sends many, and those meet the limit per visitor first, and that of how many wait at a
 * time. A form that is shown again after an error keeps its first token. No token (a caller of the API), one over a day old (a
 * tab left open) or one that is not ours says nothing, and is no reason to lose an inquiry.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from 'mongodb';
import { RotatingKeys } from './rotating-keys.ts';

const dayMs = 86_400_000;
/** From the making of the form on the server to the post: the network and the reading of the page are part of it. Under the shell's deadline for a call. */
const leastMs = 1000;

const tokenPattern = /^([0-9a-z]{8,9})\.([A-Za-z0-9_-]{43})$/;

export class FormTokens {
  readonly #keys: RotatingKeys;
  readonly #now: () => number;

  constructor(db: Db, now: () => number = Date.now) {
    this.#keys = new RotatingKeys(db, { purpose: 'form', periodMs: dayMs, keptPeriods: 1 });
    this.#now = now;
  }

  /** A token that says "now". */
  async create(): Promise<string> {
    const at = this.#now().toString(36);
    return `${at}.${(await this.#mac(at)).toString('base64url')}`;
  }

  /** How long the form of this token still has to wait, in milliseconds. */
  async waitMs(token: string | undefined): Promise<number> {
    const [, at, mac] = tokenPattern.exec(token ?? '') ?? [];
    if (at === undefined || mac === undefined) return 0;
    const ageMs = this.#now() - Number.parseInt(at, 36);
    // Before asking for its key: a token of another day must not make us create one.
    if (ageMs >= leastMs || ageMs < 0) return 0;
    return timingSafeEqual(Buffer.from(mac, 'base64url'), await this.#mac(at)) ? leastMs - ageMs : 0;
  }

  async #mac(at: string): Promise<Buffer> {
    return createHmac('sha256', await this.#keys.at(Number.parseInt(at, 36)))
      .update(at)
      .digest();
  }
}
