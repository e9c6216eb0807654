import { availableParallelism } from 'node:os';
import { field, isNetwork, readEnv } from '@colonnade/service/env';
import * as z from 'zod';
import { isKnownHost } from './middleware/allowed-hosts.ts';

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
/** Names and addresses: in capitals they mean the same. */
const names = list.transform((entries) => entries.map((entry) => entry.toLowerCase()));
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
/** Of what visitors' requests go on to, over connections without TLS. */
const origin = (fallback: string) =>
  field.origin
    .refine((value) => !/^https:/i.test(value), 'must start with http://, as the gateway speaks no TLS with what is behind it')
    .transform((value) => value.replace(/\/+$/, ''))
    .default(fallback);

/** Environment of the gateway. */
export const env = readEnv(
  z.object({
    NODE_ENV: z.enum(['production', 'development']).default('production'),
    /** Where the public port listens. Default: every address of the machine. */
    HOST: z.string().default(''),
    PORT: field.port.default(3000),
    /** Where the ops port listens. */
    OPS_HOST: z.string().default('127.0.0.1'),
    OPS_PORT: field.port.default(3001),
    /** The site's public origin: its host is always allowed, its scheme decides about HSTS. Default: `http://localhost:$PORT`. */
    SITE_ORIGIN: field.origin.optional(),
    /** Further host names this gateway answers to, separated by commas, without ports: `localhost,127.0.0.1,[::1]`. */
    ALLOWED_HOSTS: names.refine(
      (hosts) => hosts.every((host) => isKnownHost(host, new Set([host]))),
      'must be host names without scheme and port, such as www.example.com or [::1]',
    ),
    /**
     * Proxies in front of this gateway whose `X-Forwarded-For`, `X-Request-Id` and `traceparent` are believed, separated by commas:
     * addresses, subnets (`10.0.0.0/8`), `loopback`, `linklocal` or `uniquelocal`. Default: none, the visitor is who is connected.
     */
    TRUSTED_PROXIES: names.refine((entries) => entries.every(isProxy), 'must be addresses, subnets or loopback, linklocal, uniquelocal'),
    /** Requests of one address in a minute, counted in each worker; 0: no limit. */
    FLOOD_LIMIT: z.coerce.number().int().nonnegative().default(3000),
    /** Worker processes. */
    GATEWAY_WORKERS: count(availableParallelism()),
    /** Origins of what is behind the gateway. The shell's is its supervisor's, which says where the sets listen. */
    SHELL_URL: origin('http://127.0.0.1:3100'),
    NEWS_URL: origin('http://127.0.0.1:3201'),
    INQUIRY_URL: origin('http://127.0.0.1:3202'),
    /** For `/health` only. */
    REGISTRY_URL: field.url.transform((value) => value.replace(/\/+$/, '')).optional(),
    /** Signs the links to previews. Default: there are no previews. */
    PREVIEW_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    /** Total time of a request behind the gateway, in milliseconds. */
    UPSTREAM_DEADLINE_MS: count(5000),
    /** In each worker and for each upstream: requests under way at once, and requests that wait for one of them to end. */
    UPSTREAM_MAX_IN_FLIGHT: count(64),
    UPSTREAM_MAX_QUEUED: count(32),
    /** `off`: no copies at all, every page is rendered for its visitor. */
    PAGE_CACHE: z.enum(['on', 'off']).default('on'),
    /** Memory for copies of pages, in each worker. */
    PAGE_CACHE_MB: z.coerce.number().int().min(1).default(64),
    /**
     * Shared caches in front of this gateway, separated by commas: base URLs that take `PURGE /path`. They are told how long
     * they may keep pages, and when to drop them; see docs/shared-cache.md. Default: none, and none may keep a page.
     */
    PURGE_URLS: list.pipe(z.array(field.url.transform((value) => value.replace(/\/+$/, '')))),
    /** Streams that tell which pages have changed, by service: `news=http://127.0.0.1:3201/changes`. Default: that of the news service. */
    CHANGES_URLS: z
      .string()
      .transform((list) => Object.fromEntries(list.split(',').map(nameAndUrl)))
      .pipe(z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), field.url))
      .optional(),
  }),
);
export type Env = typeof env;

/** The URL may have a query. */
function nameAndUrl(pair: string): [name: string, url: string] {
  const [name = '', ...url] = pair.split('=');
  return [name, url.join('=')];
}

function isProxy(entry: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(entry) || isNetwork(entry);
}

export const siteOrigin = env.SITE_ORIGIN?.replace(/\/+$/, '') ?? `http://localhost:${env.PORT}`;
export const changesUrls = env.CHANGES_URLS ?? { news: `${env.NEWS_URL}/changes` };
