import * as z from 'zod';

/** Content types of the client files that shells serve, by ending. Beside each may lie the same, packed: `.br`, `.gz`. */
export const servedTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.pdf': 'application/pdf',
};

/** Client files of one chunk group, relative to the release folder, in load order. */
const chunkFiles = z.object({ js: z.array(z.string()), css: z.array(z.string()) });
export type ChunkFiles = z.infer<typeof chunkFiles>;

/** Of a page or a slot. `later`: scripts that its code imports when it runs; their styles come with the others. */
const partFiles = chunkFiles.extend({ later: z.array(z.string()).optional() });
export type PartFiles = z.infer<typeof partFiles>;

const cachePolicy = z.union([z.literal('none'), z.object({ freshS: z.number(), staleS: z.number() })]);

/**
 * `release.json`: what a microfrontend is, derived from its code by the build and never written by hand.
 * Lies at the root of the release folder beside `client/` and `server/`.
 */
export const releaseSchema = z.object({
  /** Version of this format. */
  release: z.literal(1),
  /** Version of the contract with the shell (`@colonnade/mfe`). */
  contract: z.literal(1),
  /** How the container was built: `v1` is Rspack's own container, `enhanced` Module Federation 2's. */
  container: z.enum(['v1', 'enhanced']),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
  version: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,63}$/),
  /** The git commit it was built from, where there was one: for a person who asks what is live. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  /** Version range by shared module; the shell must provide each. */
  shared: z.record(z.string(), z.string()),
  /** The container, and what `./mfe` needs besides. */
  client: z.object({ entry: z.string(), expose: chunkFiles }),
  server: z.object({ entry: z.string() }),
  routes: z.array(
    z.object({
      id: z.string(),
      path: z.string().startsWith('/'),
      slots: z.array(z.string()),
      cache: cachePolicy,
      /** Query keys that the page depends on. */
      query: z.array(z.string()).default([]),
      /** Whether the server has data for this route, accepts a POST, or can name an existing page to try. */
      loader: z.boolean(),
      action: z.boolean(),
      trial: z.boolean(),
      /** Whether its code and data come with its document. */
      hydrate: z.boolean().default(true),
      files: partFiles,
    }),
  ),
  slots: z.array(z.object({ name: z.string(), loader: z.boolean(), hydrate: z.boolean().default(true), files: partFiles })),
  nav: z.array(z.object({ label: z.string(), path: z.string() })),
  /** Every file of the release but this one: path → `sha384-…`, as browsers write it. */
  files: z.record(z.string(), z.string().startsWith('sha384-')),
});
export type Release = z.infer<typeof releaseSchema>;

/** Every script and style sheet that a release names to browsers. */
export function filesInBrowser({ client, routes, slots }: Release): string[] {
  const parts: PartFiles[] = [client.expose, ...[...routes, ...slots].map(({ files }) => files)];
  return [client.entry, ...parts.flatMap(({ js, css, later = [] }) => [...js, ...css, ...later])];
}
