import type { ComponentType } from 'react';

/** What may cross from the server to the browser: plain JSON, checked by the compiler where it is named. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Path parameters by name, percent-decoded: `/news/:newsId` gives `{ newsId }`. */
export type Params = Record<string, string>;

/** What every page may know of the site it is part of. Comes from the site owner's content file. */
export interface Site {
  /** Short name, shown in titles: `Company · Nollvik`. */
  name: string;
  /** Absolute origin without a trailing slash, for canonical URLs. Configured, never taken from `Host`. */
  origin: string;
  /** BCP 47 language of the site's own texts. */
  language: string;
}

/** What the head of the document says about a page. */
export interface Meta {
  /** Without the site's name; the shell adds it. */
  title: string;
  description: string;
  /** Path and query of the canonical URL. Default: the page's path without its query. */
  canonical?: string;
  /** Open Graph type. Default `website`. */
  type?: 'website' | 'article';
  /** RFC 3339 time, for `article:published_time`. */
  publishedAt?: string;
  /** `noindex` for pages that must not be found by search engines. */
  robots?: 'noindex';
  /** Relations to other pages of a series, as paths with query. */
  previous?: string;
  next?: string;
}

/** A service as a loader or action sees it: HTTP, JSON in and out, with a deadline. */
export interface ServiceClient {
  /**
   * Sends one request, with the page request's deadline and id.
   * @param path starts with `/`
   * @returns status below 500 and the parsed body
   * @throws StatusError 503 when the service is unreachable, late or answers 5xx
   */
  request(path: string, init?: { method?: 'GET' | 'POST'; body?: Json; headers?: Record<string, string> }): Promise<ServiceAnswer>;
}
export interface ServiceAnswer {
  status: number;
  /** Of a redirect: it is not followed. */
  location?: string;
  body: unknown;
}

/** What a loader or action gets besides the request. Nothing of the process. */
export interface Context {
  /** By the service's name: `news`, `inquiry`. */
  services: Readonly<Record<string, ServiceClient>>;
  site: Site;
  requestId: string;
}

export interface HandlerArgs {
  /** The page's own URL without `_data`; its signal aborts when the visitor leaves or the deadline passes. */
  request: Request;
  params: Params;
  context: Context;
}

/** `none`: never kept by a cache (`no-store`). Otherwise seconds, and the tags whose change makes a copy stale. */
export type CachePolicy = 'none' | { freshS: number; staleS: number; tags(args: { params: Params; data: unknown }): string[] };

/** A part of a page: its code, and on the server its data. `load` runs once per process. */
interface Part {
  load(): Promise<{ default: ComponentType }>;
  /**
   * `false`: it only shows; no state, no effect, no handler (links, and forms that ask for a page, need none). A document
   * whose parts all say so comes without their code and data.
   */
  hydrate?: false;
  loader?(args: HandlerArgs): Promise<unknown>;
}

export interface MfeRoute extends Part {
  /** Unique in the microfrontend; names its chunk: `news-list`. */
  id: string;
  /** Absolute pattern: `/news/:newsId`. A parameter is one whole segment. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: each route knows the shape of its own data
  meta?(args: { data: any; params: Params; site: Site }): Meta;
  /** Names of the slots this page places: `mfe-news/latest`. */
  slots?: string[];
  /** Default `none`. */
  cache?: CachePolicy;
  /** The query keys that change what the page shows; a cache takes two URLs that differ in others only for one. Default: none. */
  query?: string[];
  /** Server only. schema.org data about the page, for search engines; its URLs are absolute. */
  // biome-ignore lint/suspicious/noExplicitAny: each route knows the shape of its own data
  jsonLd?(args: { data: any; params: Params; site: Site }): { [key: string]: Json }[];
  /** Server only. */
  action?(args: HandlerArgs): Promise<unknown>;
  /** Server only. Parameters of a page that exists, to try a release with. Required where the path has parameters. */
  trial?(context: Context): Promise<Params>;
}

/** A part that pages of other microfrontends may place. */
export interface MfeSlot extends Part {
  /** `{mfe}/{slot}`: `mfe-news/latest`; its last part names the chunk: `slot-latest`. */
  name: string;
}

/** An entry of the site's navigation. */
export interface NavEntry {
  label: string;
  /** Of a page of this microfrontend. */
  path: string;
}

/** A page of a microfrontend in the site's sitemap. */
export interface SitemapEntry {
  path: string;
  /** RFC 3339 time of the last change a visitor could see. */
  lastModified?: string;
}
export interface SitemapPart {
  entries: SitemapEntry[];
  /** Where to go on; absent: this was the last part. */
  next?: string;
}

/** An entry of the site's Atom feed. */
export interface FeedEntry {
  /** Never changes, whatever becomes of title and address. Unique in the microfrontend. */
  id: string;
  title: string;
  path: string;
  summary: string;
  /** BCP 47, where it is not the site's own. */
  language?: string;
  category?: string;
  /** RFC 3339. */
  publishedAt: string;
  updatedAt: string;
}

/** The one module a microfrontend exposes, as `./mfe`. */
export interface Mfe {
  contract: 1;
  routes: MfeRoute[];
  slots: MfeSlot[];
  nav: NavEntry[];
  /** Server only. Pages that its patterns with parameters stand for; those without are in the sitemap by themselves. */
  sitemap?(context: Context, from?: string): Promise<SitemapPart>;
  /** Server only. Its newest entries for the site's feed, newest first, at most 20. */
  feed?(context: Context): Promise<FeedEntry[]>;
}
