import { randomBytes } from 'node:crypto';
import type { Context, HandlerArgs, Params, Site } from '@colonnade/mfe';
import { Invalid, Redirect, StatusError } from '@colonnade/mfe/host';
import type { Release } from '@colonnade/mfe/release';
import { compareSpecificity, matchPath } from '@colonnade/mfe/routing';
import type { Log } from '@colonnade/service/log';
import type { DataAnswer } from '../set-table.ts';
import { showsPage, type View } from '../view.ts';
import { before } from './deadline.ts';
import type { Remotes, ServerRoute } from './remotes.ts';
import type { CallScope } from './service-client.ts';

export interface ResponderOptions {
  set: string;
  remotes: Remotes;
  site: Site;
  clients(scope: CallScope): Context['services'];
  log: Log;
  routeDeadlineMs: number;
  slotDeadlineMs: number;
}

/** A page request, already checked by the HTTP layer. */
export interface PageRequest {
  /** The page's own URL on the site's origin, without `_data`. */
  request: Request;
  requestId: string;
  /** The visitor's address, as the gateway named it. */
  forwardedFor?: string;
}

/** What a page request comes to: a view, and the headers that its status asks for. */
export interface Outcome {
  view: View;
  matched: ServerRoute | null;
  headers: Record<string, string>;
}

/**
 * Turns a page request into a view: matches the route, runs its action and then its loader beside those of its slots,
 * each with a deadline, and maps what they throw to the status contract. Never rejects.
 */
export function createResponder(options: ResponderOptions) {
  const routes = options.remotes.routes.toSorted((a, b) => compareSpecificity(a.route.path, b.route.path));
  return { respond, failed, slotFailed };

  async function respond({ request, requestId, forwardedFor }: PageRequest): Promise<Outcome> {
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
    };
    if (!match) outcome.view.answer.status = 404;
    else await run(match.route, match.params, { request, requestId, forwardedFor }, outcome);
    return outcome;
  }

  function findRoute(path: string): { route: ServerRoute; params: Params } | null {
    for (const route of routes) {
      const params = matchPath(route.route.path, path);
      if (params) return { route, params };
    }
    return null;
  }

  async function run(route: ServerRoute, params: Params, page: PageRequest, outcome: Outcome): Promise<void> {
    const { request, requestId, forwardedFor } = page;
    const { answer } = outcome.view;
    const fail = (error: unknown) => failed(error, outcome, route.release, requestId);
    const args = (deadlineMs: number): HandlerArgs => {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(deadlineMs)]);
      return {
        request,
        params,
        context: { services: options.clients({ requestId, forwardedFor, signal }), site: options.site, requestId },
      };
    };
    if (request.method === 'POST') {
      if (!route.route.action) {
        outcome.headers.Allow = 'GET, HEAD';
        answer.status = 405;
        return;
      }
      try {
        answer.actionData = await before(options.routeDeadlineMs, route.route.action(args(options.routeDeadlineMs)));
      } catch (error) {
        fail(error);
        if (answer.redirect || !showsPage(answer)) return;
      }
    }
    // A function of its own: a loader may throw before it returns a promise.
    const load = async () => before(options.routeDeadlineMs, route.route.loader?.(args(options.routeDeadlineMs)));
    const [loaded] = await Promise.allSettled([
      load(),
      loadSlots(route, args(options.slotDeadlineMs), requestId).then((slots) => {
        if (slots) answer.slots = slots;
      }),
    ]);
    if (loaded.status === 'fulfilled') answer.loaderData = loaded.value;
    else fail(loaded.reason);
  }

  async function loadSlots(route: ServerRoute, args: HandlerArgs, requestId: string): Promise<DataAnswer['slots']> {
    const names = route.route.slots ?? [];
    if (names.length === 0) return undefined;
    const load = async (name: string) => {
      const slot = options.remotes.slots.get(name);
      if (!slot) return null;
      try {
        return { data: (await before(options.slotDeadlineMs, slot.slot.loader?.({ ...args, params: {} }))) ?? null };
      } catch (error) {
        slotFailed(name, error, requestId);
        return null;
      }
    };
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await load(name)] as const)));
  }

  /** A slot's failure costs the page its region only; the log says whose it was. */
  function slotFailed(name: string, error: unknown, requestId: string) {
    const release = options.remotes.slots.get(name)?.release;
    options.log.warn({ slot: name, mfe: release?.name, version: release?.version, requestId, err: error }, 'slot failed');
  }

  /** Writes into the outcome what an error means to the visitor; a server error gets a digest that finds its log line. */
  function failed(error: unknown, outcome: Outcome, release: Release | undefined, requestId: string): void {
    const { answer } = outcome.view;
    if (error instanceof Redirect) {
      answer.status = error.status;
      answer.redirect = error.to;
      return;
    }
    if (error instanceof Invalid) {
      answer.status = error.status;
      if (error.status !== 422) outcome.headers['Retry-After'] = '60';
      answer.errors = error.errors;
      answer.values = error.values;
      return;
    }
    // Whatever a form was told before, this page cannot show it.
    delete answer.errors;
    const from = { requestId, mfe: release?.name, version: release?.version };
    if (error instanceof StatusError) {
      answer.status = error.status;
      Object.assign(outcome.headers, error.headers);
      if (error.status >= 500) options.log.error({ ...from, status: error.status, err: error.cause ?? error }, 'page unavailable');
      return;
    }
    answer.status = 500;
    answer.digest = randomBytes(5).toString('hex');
    options.log.error({ ...from, digest: answer.digest, err: error }, 'page failed');
  }
}
