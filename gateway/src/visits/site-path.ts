/**
 * Path, query and fragment of an address on this site.
 * @param to from outside
 * @returns null for whatever a browser could take for another site's
 */
export function sitePath(to: string, origin: string): string | null {
  // Browsers drop tabs and line ends, and read `\` as `/`; a second slash begins a host.
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(to)) return null;
  const url = URL.parse(to, origin);
  // `/.//host` loses its dot here.
  if (url === null || url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}
