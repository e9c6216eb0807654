import type { ServerResponse } from 'node:http';

/**
 * Tells how long a page's visitor waited for what is behind the gateway, which browsers show beside the request
 * (https://www.w3.org/TR/server-timing/). Nothing is said of a copy: nobody was waited for.
 * @param askedAt by `performance.now()`
 */
export function tellTiming(res: ServerResponse, askedAt: number): void {
  res.setHeader('Server-Timing', `upstream;dur=${(performance.now() - askedAt).toFixed(1)}`);
}
