/** Whose files would lie at the same addresses: `/_mfe/shell/…`, `/_mfe/sets/…`. */
export const takenNames: ReadonlySet<string> = new Set(['shell', 'sets']);
/** First segments that the site answers itself, beside all that begin with `_`. */
export const takenSegments: ReadonlySet<string> = new Set(['api', 'healthz', 'feed.xml', 'sitemap.xml', 'robots.txt', '.well-known']);
