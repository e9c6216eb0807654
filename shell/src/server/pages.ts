import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Invalid, Redirect } from '@colonnade/mfe/host';
import type { Release } from '@colonnade/mfe/release';
import { Ending } from '@colonnade/service/ending';
import { Problem } from '@colonnade/service/problem';
import type { Request, RequestHandler, Response } from 'express';
import type { Boot } from '../boot.ts';
import { pageFiles, type SetTable, type TableRoute } from '../set-table.ts';
import type { Chrome } from '../ui/chrome.ts';
import { showsPage, viewMeta } from '../view.ts';
import { documentHtml, type PageHead, pageHead } from './document.ts';
import { sendPacked } from './packed.ts';
import { mfeUrl, type ReleaseSet, shellUrl } from './release-set.ts';
import { RenderFailed, renderApp } from './render.tsx';
import { lentRequest } from './request.ts';
import type { createResponder, Outcome } from './respond.ts';
import { failureHeader, missingHeader, spoiledHeader, trialHeader } from './trial/trial-headers.ts';

/** One for all: where it was made says nothing. */
const visitorLeft = new Error('the visitor has left');

export interface PagesOptions {
  set: ReleaseSet;
  table: SetTable;
  /** Of the whole table's text; undefined in development. */
  tableIntegrity: string | undefined;
  chrome: Chrome;
  shellDir: string;
  dev: boolean;
  responder: ReturnType<typeof createResponder>;
}

/** Answers page requests: the document, or with `_data` what a client navigation or a posted form needs. */
export function pages(options: PagesOptions): RequestHandler {
  const { set, table, chrome, responder, dev } = options;
  const heads = new Map<TableRoute | null, PageHead>();
  const paths = table.routes.map((route) => route.path);

  return async (req, res) => {
    res.locals.route = 'page';
    res.set({ 'X-Release-Set': set.id, 'Cache-Control': 'no-store' });
    if (!['GET', 'HEAD', 'POST'].includes(req.method))
      throw new Problem(405, 'Method not allowed', { headers: { Allow: 'GET, HEAD, POST' } });
    const url = pageUrl(req, chrome.site.origin);
    const named = url.searchParams.getAll('_data');
    const data = named.length > 0;
    // Only then: it writes the whole query in its own way, which a page that shows its address would not hydrate with.
    if (data) url.searchParams.delete('_data');
    if (data && named[0] !== set.id)
      throw new Problem(409, 'Another release set is live', { detail: 'Load the document anew.', extra: { set: set.id } });

    const gone = new Ending();
    res.once('close', () => res.writableFinished || gone.end(visitorLeft));
    const request = await lentRequest(req, url.href);
    const outcome = await responder.respond({ request, requestId: req.id, forwardedFor: req.get('x-forwarded-for'), gone });
    if (gone.reason) return;
    res.locals.outcome = outcome;
    res.set(outcome.headers);
    if (data) await sendData(req, res, outcome);
    else if (outcome.view.answer.redirect) res.redirect(outcome.view.answer.status, outcome.view.answer.redirect);
    else await sendDocument(req, res, outcome, gone);
  };

  async function sendData(req: Request, res: Response, outcome: Outcome): Promise<void> {
    const { answer } = outcome.view;
    if (answer.status === 200 && req.method !== 'POST') allowCaching(res, outcome, req.id);
    // A redirect travels in the body: fetch would follow a 303 by itself.
    res.status(answer.redirect ? 200 : answer.status).type('json');
    await sendPacked(req, res, Buffer.from(JSON.stringify(answer)));
  }

  async function sendDocument(req: Request, res: Response, outcome: Outcome, gone: Ending): Promise<void> {
    // The gateway let only a known host through.
    const host = req.get('host') ?? new URL(chrome.site.origin).host;
    const made = await makeDocument(outcome, host, req.id, gone);
    if (!made) return;
    const { html, head } = made;
    const { answer } = outcome.view;
    res.set(outcome.headers);
    const empty = Object.entries(answer.slots ?? {}).flatMap(([name, slot]) => (slot === null ? [name] : []));
    if (empty.length > 0) res.set(missingHeader, empty.join(' '));
    if (req.get(trialHeader) !== undefined) tellTrial(res, outcome);
    res.status(answer.status).set({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': head.contentSecurityPolicy });
    if (answer.status === 200 && req.method !== 'POST' && allowCaching(res, outcome, req.id)) {
      res.set('ETag', `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`);
      if (req.fresh) return void res.status(304).end();
    }
    await sendPacked(req, res, html, head.start);
  }

  function tellTrial(res: Response, { failure, spoiled }: Outcome): void {
    if (failure) res.set(failureHeader, encodeURIComponent(failure.slice(0, 300).toWellFormed()));
    if (spoiled) res.set(spoiledHeader, '1');
  }

  /** The document of an outcome. Where a slot throws, once more with its fallback; where the page throws, its error page. Null: the visitor has left. */
  async function makeDocument(outcome: Outcome, host: string, requestId: string, gone: Ending) {
    const { view, matched } = outcome;
    const { answer } = view;
    for (;;) {
      try {
        return await responder.during(outcome, requestId, () => compose(outcome, host, gone));
      } catch (error) {
        if (gone.reason) return null;
        const slot = error instanceof RenderFailed ? error.slot : null;
        if (slot && answer.slots?.[slot]) {
          responder.slotFailed(slot, error, requestId, outcome);
          answer.slots[slot] = null;
        } else if (showsPage(answer)) {
          responder.failed(failureOf(error), outcome, matched?.release, requestId);
        } else throw error;
      }
    }
  }

  async function compose({ view, matched }: Outcome, host: string, gone: Ending): Promise<{ html: Buffer; head: PageHead }> {
    const { answer } = view;
    const root = await renderApp({ view, chrome, host, navigation: 'idle' }, gone);
    const about = { data: answer.loaderData, params: view.params, site: chrome.site };
    const jsonLd = answer.status === 200 ? (matched?.route.jsonLd?.(about) ?? []) : [];
    const route = showsPage(answer) && matched ? table.routes.find((r) => r.mfe === matched.mfe && r.id === matched.id) : undefined;
    const head = headOf(route ?? null);
    const inert = route && isInert(route);
    const boot: Boot = {
      ...(inert ? { set: answer.set, status: answer.status } : answer),
      integrity: options.tableIntegrity,
      chrome,
      paths,
      styles: route ? pageFiles(table, route).css : table.errorCss,
      ...(route && !inert && { table: partOf(table, route) }),
    };
    return { html: documentHtml(head, { root, meta: viewMeta(view, chrome.site), jsonLd, site: chrome.site, url: view.url, boot }), head };
  }

  /**
   * What a shared cache may keep is the gateway's decision, by the tags; a browser asks again, since a release or a news
   * item may be new. A page that lacks a slot for now is not to be kept, and the gateway may have a whole one.
   */
  function allowCaching(res: Response, outcome: Outcome, requestId: string): boolean {
    const { view, matched, incomplete } = outcome;
    const policy = matched?.route.cache ?? 'none';
    if (policy === 'none') return false;
    if (incomplete) {
      res.set('X-Colonnade-Incomplete', '1');
      return false;
    }
    try {
      const tags = responder.during(outcome, requestId, () => policy.tags({ params: view.params, data: view.answer.loaderData }));
      res.set({ 'X-Colonnade-Tags': tags.map((tag) => encodeURI(tag)).join(' '), 'Cache-Control': 'no-cache' });
      return true;
    } catch (error) {
      responder.tagsFailed(error, outcome, requestId);
      return false;
    }
  }

  function headOf(route: TableRoute | null): PageHead {
    const known = heads.get(route);
    if (known) return known;
    const { shell } = set;
    const base = shellUrl('');
    const files = route ? pageFiles(table, route) : { js: [], css: [] };
    const shellCss = [...shell.css, ...(route ? [] : shell.errorCss)];
    const js = route && isInert(route) ? [] : files.js;
    const modules = [...shell.js.map((file) => shellUrl(file)), ...js];
    // A browser takes no import map after the document's own, and checks by nothing else what code imports when it runs. So the
    // map names that of each page that a visitor may come to from here.
    const later = set.releases.flatMap(({ release }) => laterFiles(release).map((file) => mfeUrl(release, file)));
    const integrity = Object.fromEntries(
      [
        ...shell.js.map((file) => [shellUrl(file), shell.files[file]] as const),
        ...[...js, ...later].map((url) => [url, table.integrity[url]] as const),
      ].filter((entry): entry is readonly [string, string] => !!entry[1]),
    );
    const head = pageHead(
      {
        styles: dev
          ? []
          : [...shellCss.map((file) => style(path.join(options.shellDir, 'client', file), base)), ...files.css.map((url) => mfeStyle(url))],
        styleSheets: dev ? [...shellCss.map((file) => shellUrl(file)), ...files.css] : [],
        modules,
        fonts: shell.fonts.map(shellUrl),
        entry: shellUrl(shell.entry),
        integrity,
      },
      chrome.site.language,
    );
    heads.set(route, head);
    return head;
  }

  /** In development every page is brought to life, so that a change of its code shows. */
  function isInert(route: TableRoute): boolean {
    return !route.hydrate && !dev;
  }

  function mfeStyle(url: string): string {
    for (const { release, dir } of set.releases) {
      const base = mfeUrl(release, '');
      if (url.startsWith(base)) return style(path.join(dir, 'client', url.slice(base.length)), base);
    }
    throw new Error(`no release has ${url}`);
  }
}

/** What made a page fail while it was rendered. Only handlers redirect, or show a form again: the same page would throw once more. */
function failureOf(error: unknown): unknown {
  const cause = error instanceof RenderFailed ? error.cause : error;
  return cause instanceof Redirect || cause instanceof Invalid ? new Error(`${cause.name} thrown while rendering`, { cause }) : cause;
}

/** The URL the page is at. @throws Problem 400 for a request line that names another origin */
function pageUrl(req: Request, origin: string): URL {
  const url = URL.parse(req.originalUrl, origin);
  if (!url || url.origin !== new URL(origin).origin) throw new Problem(400, 'Bad request', { detail: 'The path is not valid.' });
  return url;
}

/** A style sheet's text with its relative URLs made absolute: it stands in documents of any path. */
function style(file: string, base: string): string {
  return readFileSync(file, 'utf8')
    .trim()
    .replaceAll(/url\((["']?)(?!data:|\/|#|https?:)([^)"']+)\1\)/g, (_, quote: string, to: string) => `url(${quote}${base}${to}${quote})`);
}

function laterFiles({ routes, slots }: Release): string[] {
  return [...routes, ...slots].flatMap(({ files }) => files.later ?? []);
}

function partOf(table: SetTable, route: TableRoute): SetTable {
  const slots = Object.fromEntries(route.slots.flatMap((name) => (table.slots[name] ? [[name, table.slots[name]]] : [])));
  const mfes = new Set([route.mfe, ...Object.values(slots).map((slot) => slot.mfe)]);
  return {
    set: table.set,
    routes: [route],
    slots,
    errorCss: [],
    entries: Object.fromEntries(Object.entries(table.entries).filter(([mfe]) => mfes.has(mfe))),
    integrity: {},
  };
}
