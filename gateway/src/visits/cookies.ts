import type { IncomingMessage } from 'node:http';

/** A cookie of the gateway's own: for no script, and not sent with what another site embeds or posts. */
export interface Cookie {
  name: string;
  value: string;
  /** 0 deletes it. */
  maxAgeS: number;
}

/** The value of a cookie as the visitor sent it; the first where there are several. */
export function cookieOf(req: IncomingMessage, name: string): string | undefined {
  for (const pair of req.headers.cookie?.split(';') ?? []) {
    const [given, value] = pair.trim().split(/=(.*)/s, 2);
    if (given === name) return value;
  }
  return undefined;
}

/** The value of `Set-Cookie`. @param https whether the site is: the cookie then travels in no other way */
export function setCookie({ name, value, maxAgeS }: Cookie, https: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
}
