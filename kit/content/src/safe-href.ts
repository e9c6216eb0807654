/**
 * The link targets that content may have, or null. Lets through http, https, mailto, tel, paths of this site and
 * fragments. Browsers drop tabs and newlines and read `\` as `/`, so that `/\host` and `java⇥script:` would pass for
 * something harmless: a target with any of these is refused.
 */
export function safeHref(target: string): string | null {
  const href = target.trim();
  if (/[\p{Cc}\s\\]/u.test(href)) return null;
  if (/^https?:\/\//i.test(href)) return URL.canParse(href) ? href : null;
  if (/^(?:mailto|tel):/i.test(href)) return href;
  if (href.startsWith('#')) return href;
  return isSitePath(href) ? href : null;
}

/** Whether a target is a path on this very site: `/…`, but not `//host`. */
export function isSitePath(href: string): boolean {
  return /^\/(?!\/)/.test(href) && !/[\p{Cc}\s\\]/u.test(href);
}
