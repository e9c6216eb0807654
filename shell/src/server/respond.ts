import { randomBytes } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import type { Context, MfeRoute, Params, Site } from '@colonnade/mfe';
import { Invalid, Redirect, StatusError } from '@colonnade/mfe/host';
import type { Release } from '@colonnade/mfe/release';
import { compareSpecificity, matchPath } from '@colonnade/mfe/routing';
import type { Ending } from '@colonnade/service/ending';
import type { Log } from '@colonnade/service/log';
import { showsPage, type View } from '../view.ts';
import type { FencedParts } from './containment/fenced-parts.ts';
import type { Part } from './containment/fences.ts';
import { plainJson } from './containment/plain-json.ts';
import { doing } from './containment/work.ts';
import { Hung, withDeadline } from './deadline.ts';
import type { Remotes, ServerRoute } from './remotes.ts';
import type { LentRequest } from './request.ts';
import type { CallScope } from './service-client.ts';

export interface ResponderOptions {
  set: string;
  remotes: Remotes;
  /** Path patterns of releases that could not be used. */
  brokenPaths: string[];
  fenced: FencedParts;
  site: Site;
  clients(scope: CallScope): Context['services'];
  log: Log;
  routeDeadlineMs: number;
  slotDeadlineMs: number;
}

/** When to come again where a release is broken: not before somebody has released another. */
const brokenRetryS = 60;

/** A page request, already checked by the HTTP layer. */
export interface PageRequest {
  /** Its URL is the page's own, without `_data`. */
  request: LentRequest;
  requestId: string;
  /** The visitor's address, as the gateway named it. */
  forwardedFor?: string;
  /** When the visitor leaves. */
  gone?: Ending;
}

/** What a page request comes to: a view, and the headers that its status asks for. */
export interface Outcome {
  view: View;
  matched: ServerRoute | null;
  headers: Record<string, string>;
  /** Something of the page is missing that may be there again in a moment. */
  incomplete: boolean;
  /** What made the page fail, in its error's words: for whoever releases it, never for visitors. */
  failure?: string;
  /** The page or a slot of it is not there because of what its release did; what a service's outage does is none of it. */
  spoiled: boolean;
}

/**
 * Turns a page request into a view: matches the route, runs its action and then its loader beside those of its slots,
 * each with a deadline, and maps what they throw to the status contract. Never rejects. Where the visitor has left it comes to nothing.
 */
export function createResponder(options: ResponderOptions) {
  const routes = options.remotes.routes.toSorted((a, b) => compareSpecificity(a.route.path, b.route.path));
  return { respond, failed, slotFailed, tagsFailed, during };

  async function respond(page: PageRequest): Promise<Outcome> {
    const { request } = page;
    const url = new URL(request.url);
    const match = findRoute(url.pathname);
    const outcome: Outcome = {
      view: {
        url: url.pathname + url.search,
        params: match?.params ?? {},
        answer: { set: options.set, status: 200 },
        route: match?.route ?? null,
      },
      matched: match?.route ?? null,
      headers: {},
      incomplete: false,
      spoiled: false,
    };
    if (!match) {
      const broken = options.brokenPaths.some((path) => matchPath(path, url.pathname));
      if (broken) withhold(outcome, brokenRetryS);
      else outcome.view.answer.status = 404;
      return outcome;
    }
    // Fenced off: it has ended workers. Said once, when the fence went up.
    const fencedS = options.fenced.secondsLeft(partOf(match.route.release, match.route.route.path));
    if (fencedS > 0) withhold(outcome, fencedS);
    else await run(match.route, match.params, page, outcome);
    return outcome;
  }

  function withhold(outcome: Outcome, retryS: number): void {
    outcome.spoiled = true;
    outcome.view.answer.status = 503;
    outcome.headers['Retry-After'] = String(retryS);
  }

  /** Runs code of an outcome's page, such as its rendering, as that page's work. */
  function during<T>({ matched, view }: Outcome, requestId: string, code: () => T): T {
    if (!matched || !showsPage(view.answer)) return code();
    const slots = Object.entries(view.answer.slots ?? {}).flatMap(([name, slot]) => {
      const release = slot && options.remotes.slots.get(name)?.release;
      return release ? [partOf(release, name)] : [];
    });
    return doing({ ...partOf(matched.release, matched.route.path), requestId, slots }, code);
  }

  function findRoute(path: string): { route: ServerRoute; params: Params } | null {
    for (const route of routes) {
      const params = matchPath(route.route.path, path);
      if (params) return { route, params };
    }
    return null;
  }

  async function run(route: ServerRoute, params: Params, page: PageRequest, outcome: Outcome): Promise<void> {
    const { request, requestId, forwardedFor, gone } = page;
    const { answer } = outcome.view;
    const fail = (error: unknown) => {
      // Nobody is answered, and it is no failure: what a visitor has begun and leaves is told to end.
      if (!gone?.reason) failed(error, outcome, route.release, requestId);
    };
    // One that is late is told apart by whether it waits for a service.
    const handled = async (handler: MfeRoute['loader'], deadlineMs: number, handlerParams: Params) => {
      const scope: CallScope = { requestId, forwardedFor };
      const context = { services: options.clients(scope), site: options.site, requestId };
      const start = (ending: Ending) => {
        scope.ending = ending;
        let own: Request | undefined;
        return handler?.({
          // Most ask for none.
          get request() {
            own ??= request.lend(ending);
            return own;
          },
          params: handlerParams,
          context,
        });
      };
      return plainJson(await withDeadline(deadlineMs, start, gone, () => !!scope.waiting));
    };
    const work = { ...partOf(route.release, route.route.path), requestId };
    const routed = (handler: MfeRoute['loader']) => handled(handler, options.routeDeadlineMs, params);
    if (request.method === 'POST') {
      if (!route.route.action) {
        outcome.headers.Allow = 'GET, HEAD';
        answer.status = 405;
        return;
      }
      try {
        answer.actionData = await doing(work, () => routed(route.route.action));
      } catch (error) {
        fail(error);
        if (gone?.reason || answer.redirect || !showsPage(answer)) return;
      }
    }
    const [loaded] = await Promise.allSettled([doing(work, () => routed(route.route.loader)), loadSlots(route, handled, page, outcome)]);
    if (loaded.status === 'fulfilled') answer.loaderData = loaded.value;
    else fail(loaded.reason);
  }

  async function loadSlots(
    route: ServerRoute,
    handled: (handler: MfeRoute['loader'], deadlineMs: number, params: Params) => Promise<unknown>,
    { requestId, gone }: PageRequest,
    outcome: Outcome,
  ): Promise<void> {
    const names = route.route.slots ?? [];
    if (names.length === 0) return;
    const load = async (name: string) => {
      const found = options.remotes.slots.get(name);
      if (!found) return null;
      const part = partOf(found.release, name);
      if (options.fenced.secondsLeft(part) > 0) {
        outcome.incomplete = true;
        outcome.spoiled = true;
        return null;
      }
      try {
        const data = await doing({ ...part, requestId }, () => handled(found.slot.loader, options.slotDeadlineMs, {}));
        return { data: data ?? null };
      } catch (error) {
        if (!gone?.reason) slotFailed(name, error, requestId, outcome);
        return null;
      }
    };
    outcome.view.answer.slots = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await load(name)] as const)));
  }

  /** A slot's failure costs the page its region only; the log says whose it was. */
  function slotFailed(name: string, error: unknown, requestId: string, outcome: Outcome) {
    outcome.incomplete = true;
    if (!(error instanceof StatusError) || error.cause instanceof Hung) outcome.spoiled = true;
    const release = options.remotes.slots.get(name)?.release;
    options.log.warn({ slot: name, mfe: release?.name, version: release?.version, requestId, err: error }, 'slot failed');
  }

  /** A page without the tags of its cache policy is sent, and not kept. */
  function tagsFailed(error: unknown, { matched }: Outcome, requestId: string) {
    const release = matched?.release;
    options.log.warn(
      { mfe: release?.name, version: release?.version, route: matched?.route.path, requestId, err: error },
      'cache tags failed',
    );
  }

  /** Writes into the outcome what an error means to the visitor; a server error gets a digest that finds its log line. */
  function failed(error: unknown, outcome: Outcome, release: Release | undefined, requestId: string): void {
    const { answer } = outcome.view;
    if (error instanceof Redirect) {
      answer.status = error.status;
      answer.redirect = error.to;
      return;
    }
    const from = { requestId, mfe: release?.name, version: release?.version, route: outcome.matched?.route.path };
    let cause = error;
    try {
      if (error instanceof Invalid) {
        refused(error, outcome);
        if (error.status === 503) options.log.warn({ ...from, err: error.cause ?? error }, 'form cannot be taken');
        return;
      }
      if (error instanceof StatusError) checkStatus(error);
    } catch (unusable) {
      cause = unusable;
    }
    // Whatever a form was told before, this page cannot show it.
    delete answer.errors;
    if (cause instanceof StatusError) {
      answer.status = cause.status;
      Object.assign(outcome.headers, cause.headers);
      if (cause.status < 500) return;
      outcome.failure = messageOf(cause.cause ?? cause);
      if (cause.cause instanceof Hung) outcome.spoiled = true;
      options.log.error({ ...from, status: cause.status, err: cause.cause ?? cause }, 'page unavailable');
      return;
    }
    answer.status = 500;
    answer.digest = randomBytes(5).toString('hex');
    outcome.failure = messageOf(cause);
    options.log.error({ ...from, digest: answer.digest, err: cause }, 'page failed');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A form that was not taken is shown again. @throws where its texts are not JSON */
function refused({ errors, values, status }: Invalid, { view: { answer }, headers }: Outcome): void {
  answer.errors = plainJson(errors) as Record<string, string>;
  answer.values = plainJson(values) as Record<string, string>;
  answer.status = status;
  if (status !== 422) headers['Retry-After'] = '60';
}

/** @throws where no answer can have such a status or header */
function checkStatus({ status, headers }: StatusError): void {
  if (!Number.isInteger(status) || status < 400 || status > 599) throw new RangeError(`no status of an error: ${status}`);
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
}

function partOf({ name, version }: Release, part: string): Part {
  return { mfe: name, version, part };
}
