import { createHash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Context, Mfe, Site } from '@colonnade/mfe';
import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import { type Request, type Response, Router } from 'express';
import type { FencedParts } from '../containment/fenced-parts.ts';
import type { Part } from '../containment/fences.ts';
import { doing } from '../containment/work.ts';
import { withDeadline } from '../deadline.ts';
import type { CallScope } from '../service-client.ts';
import { missingHeader, trialHeader } from '../trial/trial-headers.ts';
import { type AtomEntry, atomEntry, atomXml } from './feed.ts';
import { sitemapFiles, sitemapIndexXml, urlXml } from './sitemap.ts';

/** A feed or sitemap is kept so long, however often it is asked for. */
const freshMs = 10_000;
/** For a part of the sitemap. */
const partMs = 5000;
/** Less than the 5 s of the gateway, for which no answer is a failure of the release set. */
const waitMs = 4000;
/** For the entries of one microfrontend: those of the others are there before anybody has waited too long. */
const entriesMs = 3000;
const feedEntries = 20;
const dayMs = 86_400_000;

/** Who has a part in what is made here. */
interface Giver {
  name: string;
  version: string;
  mfe: Mfe;
}

export interface DiscoveryOptions {
  mfes: Giver[];
  fenced: FencedParts;
  site: Site;
  /** Domain and date, for the ids of the feed. */
  feedAuthority: string;
  /** `mailto:` or `https:`, for security.txt. */
  securityContact: string;
  context(scope: CallScope): Context;
  log: Log;
}

interface UrlsOptions {
  /** Where the part begins. */
  from?: string;
  deadlineMs?: number;
}

/** What is sent, however often it is asked for. */
interface Answer {
  type: string;
  body: Buffer;
  etag: string;
}

/** What machines read to find the site's pages: sitemap, feed, robots.txt, security.txt. Each microfrontend contributes its part. */
export function discovery({ mfes, fenced, site, feedAuthority, securityContact, context, log }: DiscoveryOptions): Router {
  const router = Router();
  const sitemap = remembered(sitemapByPath);
  const feed = remembered(makeFeed, ({ missing }) => missing.length === 0);

  router.get(['/sitemap.xml', '/sitemap-:file.xml'], async (req, res) => {
    if (req.get(trialHeader) !== undefined) {
      tellMissing(res, await withoutPages(req.id));
      return void res.end();
    }
    const file = (await sitemap(req.id)).get(req.path);
    if (!file) throw new Problem(404, 'Not found');
    send(req, res, file);
  });
  router.get('/feed.xml', async (req, res) => {
    const { file, missing } = await feed(req.id, req.get(trialHeader) !== undefined);
    tellMissing(res, missing);
    send(req, res, file);
  });
  router.get('/robots.txt', (req, res) => {
    const text = `User-agent: *\nDisallow: /_preview/\nDisallow: /api/\n\nSitemap: ${site.origin}/sitemap.xml\n`;
    send(req, res, answer('text/plain; charset=utf-8', text));
  });
  router.get('/.well-known/security.txt', (req, res) => {
    // RFC 9116 wants a date after which the file is not to be trusted; it is made anew for each reader.
    const expires = new Date(Math.ceil(Date.now() / dayMs) * dayMs + 90 * dayMs).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      `Preferred-Languages: ${site.language}`,
      `Canonical: ${site.origin}/.well-known/security.txt`,
    ];
    send(req, res, answer('text/plain; charset=utf-8', `${lines.join('\n')}\n`));
  });
  return router;

  /** All public pages: one file, or several and the list of them. */
  async function sitemapByPath(requestId: string): Promise<Map<string, Answer>> {
    const type = 'application/xml; charset=utf-8';
    const files: Answer[] = [];
    for (const text of sitemapFiles(await allUrls(requestId))) {
      files.push(answer(type, text));
      // A hundred thousand pages at once would hold up everybody for a tenth of a second.
      await othersFirst();
    }
    const [only] = files;
    if (only && files.length === 1) return new Map([['/sitemap.xml', only]]);
    const index = answer(type, sitemapIndexXml(files.length, site.origin));
    return new Map([['/sitemap.xml', index], ...files.map((file, i) => [`/sitemap-${i + 1}.xml`, file] as const)]);
  }

  /** The routes themselves, and the pages behind patterns with parameters. Half a sitemap would unlist pages, so one failure fails it. */
  async function allUrls(requestId: string): Promise<string[]> {
    const parts = await Promise.all(
      mfes.map(async ({ name, version, mfe }) => {
        const own = mfe.routes.filter((route) => !route.path.includes(':')).map(({ path }) => urlXml({ path }, site.origin));
        let from: string | undefined;
        do {
          const { urls, next } = await urlsOf({ name, version, mfe }, requestId, { from });
          own.push(...urls);
          from = next;
        } while (from !== undefined);
        return own;
      }),
    );
    return parts.flat();
  }

  /** A part of the pages behind patterns with parameters, and where the next one begins. */
  async function urlsOf({ name, version, mfe }: Giver, requestId: string, { from, deadlineMs = partMs }: UrlsOptions) {
    const part = { mfe: name, version, part: '/sitemap.xml' };
    const given = await contribution(part, requestId, deadlineMs, (scope) => mfe.sitemap?.(scope, from));
    return { urls: given?.entries.map((entry) => urlXml(entry, site.origin)) ?? [], next: given?.next };
  }

  /** Who fails with the first of its pages: a trial does not wait for all of them. */
  async function withoutPages(requestId: string): Promise<string[]> {
    const failing = mfes.map(async (giver) => {
      try {
        await urlsOf(giver, requestId, { deadlineMs: entriesMs });
        return [];
      } catch (err) {
        log.error({ requestId, mfe: giver.name, version: giver.version, err }, 'sitemap entries failed');
        return [giver.name];
      }
    });
    return (await Promise.all(failing)).flat();
  }

  /** The newest entries of all. One that fails lacks its own only, as readers keep what they have; where nobody gives any, there is no feed. */
  async function makeFeed(requestId: string): Promise<{ file: Answer; missing: string[] }> {
    const givers = mfes.filter(({ mfe }) => mfe.feed);
    const missing: string[] = [];
    const parts = await Promise.all(
      givers.map((giver) =>
        entriesOf(giver, requestId).catch((err: unknown) => {
          log.error({ requestId, mfe: giver.name, version: giver.version, err }, 'feed entries failed');
          missing.push(giver.name);
          return [];
        }),
      ),
    );
    if (missing.length > 0 && missing.length === givers.length) throw new Error('nobody gives entries');
    const entries = parts
      .flat()
      .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1))
      .slice(0, feedEntries);
    return { file: answer('application/atom+xml; charset=utf-8', atomXml(entries, site, feedAuthority)), missing };
  }

  async function entriesOf({ name, version, mfe }: Giver, requestId: string): Promise<AtomEntry[]> {
    const part = { mfe: name, version, part: '/feed.xml' };
    const entries = (await contribution(part, requestId, entriesMs, (scope) => mfe.feed?.(scope))) ?? [];
    return entries.map((entry) => atomEntry(entry, name, site, feedAuthority));
  }

  /** Runs a microfrontend's code as its work, unless that has ended workers. */
  async function contribution<T>(
    part: Part,
    requestId: string,
    deadlineMs: number,
    run: (scope: Context) => Promise<T> | undefined,
  ): Promise<T | undefined> {
    if (fenced.secondsLeft(part) > 0) throw new Error(`${part.mfe} is fenced off from ${part.part}`);
    return await doing({ ...part, requestId }, () => withDeadline(deadlineMs, (ending) => run(context({ requestId, ending }))));
  }

  /**
   * One making at a time, kept for a while; a failure is not kept, nor what is not whole. What takes longer than anybody waits is there
   * for whoever asks next.
   */
  function remembered<T>(
    make: (requestId: string) => Promise<T>,
    isWhole: (made: T) => boolean = () => true,
  ): (requestId: string, anew?: boolean) => Promise<T> {
    let kept: { made: Promise<T>; until: number } | undefined;
    return async (requestId, anew = false) => {
      const begun = performance.now();
      if (anew || !kept || begun >= kept.until) {
        const making = { made: make(requestId), until: Number.POSITIVE_INFINITY };
        kept = making;
        making.made.then(
          (made) => {
            // What takes long is kept longer: whoever was told to come again may come to a worker that has not made it yet.
            const now = performance.now();
            making.until = isWhole(made) ? now + Math.max(freshMs, 10 * (now - begun)) : now;
          },
          (err: unknown) => {
            if (kept === making) kept = undefined;
            log.error({ requestId, err }, 'feed or sitemap failed');
          },
        );
      }
      const { made } = kept;
      try {
        return (await withDeadline(waitMs, () => made)) as T;
      } catch (cause) {
        throw new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '10' }, cause });
      }
    };
  }
}

function answer(type: string, text: string): Answer {
  const body = Buffer.from(text);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function tellMissing(res: Response, missing: string[]): void {
  if (missing.length > 0) res.set(missingHeader, missing.join(' '));
}

function send(req: Request, res: Response, { type, body, etag }: Answer): void {
  // Nobody tells a cache that holds one of them what was withdrawn: only copies of pages are purged.
  res.set({ 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etag });
  if (req.fresh) res.status(304).end();
  else res.send(body);
}
