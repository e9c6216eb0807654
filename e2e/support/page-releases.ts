/** What one document is made of: the versions its text, its files and its boot data speak of, and the sets. More than one of either is a mixed page. */
export interface PageReleases {
  versions: Set<string | undefined>;
  sets: Set<string | null | undefined>;
}

/**
 * Reads them from a document.
 * @param header its `X-Release-Set`
 * @param shown finds the version in its text
 */
export function releasesIn(html: string, header: string | null, { mfe, shown }: { mfe: string; shown: RegExp }): PageReleases {
  const boot = JSON.parse(/id="boot">(.*?)<\/script>/.exec(html)?.[1] ?? '{}') as { set?: string };
  const files = html.matchAll(new RegExp(`/_mfe/${mfe}/([^/"]+)/`, 'g'));
  const versions = [...files, ...html.matchAll(new RegExp(shown, 'g'))].map(([, version]) => version);
  return { versions: new Set(versions), sets: new Set([boot.set, header]) };
}
