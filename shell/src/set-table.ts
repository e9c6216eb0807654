import type { ChunkFiles } from '@colonnade/mfe/release';

/** One route as the browser needs to know it. File names are URLs. */
export interface TableRoute {
  mfe: string;
  id: string;
  path: string;
  /** Whether the server has data for it. Without, and without slots, a navigation asks the server nothing. */
  data: boolean;
  /** Whether its data may be kept for a while. */
  storable: boolean;
  slots: string[];
  /** Whether the document needs the code and data of the route or of one of its slots. */
  hydrate: boolean;
  files: ChunkFiles;
}

/**
 * What the browser must know of a release set to load any of its pages: `/_mfe/sets/{id}.json`, immutable.
 * Boot data carries the part that one page needs, and the hash of the whole.
 */
export interface SetTable {
  set: string;
  /** Container URL by microfrontend. */
  entries: Record<string, string>;
  routes: TableRoute[];
  slots: Record<string, { mfe: string; files: ChunkFiles }>;
  /** Style sheets of the error page. Empty in boot data. */
  errorCss: string[];
  /** `sha384-…` by URL, for every file named above. Empty in development. */
  integrity: Record<string, string>;
}

/** The answer to a `_data` request, and the first part of the boot data. */
export interface DataAnswer {
  set: string;
  status: number;
  /** Path and query of this site to go to instead. */
  redirect?: string;
  loaderData?: unknown;
  actionData?: unknown;
  /** After a POST that did not validate: messages by field. */
  errors?: Record<string, string>;
  /** And what the visitor wrote, by field. */
  values?: Record<string, string>;
  /** Data by slot; null: failed or unavailable. */
  slots?: Record<string, { data: unknown } | null>;
  /** Finds the log line of a server error. */
  digest?: string;
}

/** URLs of everything a page loads of a route and its slots, each once, in load order. */
export function pageFiles(table: SetTable, route: TableRoute): ChunkFiles {
  const parts = [route, ...route.slots.flatMap((name) => table.slots[name] ?? [])];
  return {
    js: [...new Set(parts.flatMap((part) => [table.entries[part.mfe] as string, ...part.files.js]))],
    css: [...new Set(parts.flatMap((part) => part.files.css))],
  };
}
