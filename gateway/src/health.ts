import { mfeNameSchema } from '@colonnade/release/api';
import { Problem, sendProblem } from '@colonnade/service/problem';
import { Router } from 'express';
import * as z from 'zod';

const askMs = 1500;
const shellAway = new Problem(503, 'Service unavailable', { detail: 'Whether it is live is not known: the shell does not say.' });

/** What `/readyz` of each process says. */
const readySchema = z.looseObject({
  status: z.string(),
  version: z.string().optional(),
  checks: z.record(z.string(), z.string()).default({}),
});
const shellSchema = z.looseObject({
  set: z.string().nullable(),
  releases: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** Why none of its routes can be shown. */
      broken: z.string().optional(),
      /** Routes that are not shown for a while, because they ended workers. */
      fenced: z.array(z.looseObject({ id: z.string() })).default([]),
      /** Since when the key that signed it is no longer trusted. */
      keyRevokedAt: z.string().optional(),
    }),
  ),
  refused: z.unknown().nullish(),
  /** Why it does not hear of releases. */
  away: z.string().nullish(),
});

type State = 'ok' | 'degraded' | 'down';
interface Part {
  name: string;
  kind: 'service' | 'database' | 'mfe';
  version: string | null;
  state: State;
  checks: Record<string, string>;
}

export interface HealthOptions {
  /** Base URL by name; `shell` among them. */
  services: Record<string, string>;
  /** The gateway's own. */
  version: string;
  workers(): { ready: number; wanted: number };
}

/**
 * `/health` and `/health/{name}` for ops: every process behind the gateway, MongoDB, and each microfrontend's live
 * release. 200 all well, 207 a part is missing, 503 no page can be shown.
 */
export function health(options: HealthOptions): Router {
  const router = Router();
  router.get('/health', async (_req, res) => {
    const { parts } = await survey(options);
    const state: State = parts.some((part) => (part.name === 'shell' || part.name === 'gateway') && part.state === 'down')
      ? 'down'
      : parts.every((part) => part.state === 'ok')
        ? 'ok'
        : 'degraded';
    res.status({ ok: 200, degraded: 207, down: 503 }[state]).set('Cache-Control', 'no-store').json({ status: state, parts });
  });
  router.get('/health/:name', async (req, res, next) => {
    const { parts, releasesKnown } = await survey(options);
    const part = parts.find(({ name }) => name === req.params.name);
    // Sent as it is: the error handler would log each look.
    if (!part && !releasesKnown && mfeNameSchema.safeParse(req.params.name).success) return sendProblem(req, res, shellAway);
    if (!part) return next();
    res
      .status(part.state === 'down' ? 503 : part.state === 'degraded' ? 207 : 200)
      .set('Cache-Control', 'no-store')
      .json(part);
  });
  return router;
}

async function survey({ services, version, workers }: HealthOptions): Promise<{ parts: Part[]; releasesKnown: boolean }> {
  const asked = await Promise.all(Object.entries(services).map(async ([name, url]) => ({ name, ready: await ask(url) })));
  const { ready, wanted } = workers();
  const parts: Part[] = [
    {
      name: 'gateway',
      kind: 'service',
      version,
      state: ready === 0 ? 'down' : ready < wanted ? 'degraded' : 'ok',
      checks: { workers: ready < wanted ? `${ready} of ${wanted}` : 'ok' },
    },
  ];
  const shell = shellSchema.safeParse(asked.find(({ name }) => name === 'shell')?.ready);
  for (const { name, ready } of asked) {
    const away = name === 'shell' ? shell.data?.away : undefined;
    parts.push({
      name,
      kind: 'service',
      version: ready?.version ?? null,
      state: ready?.status !== 'ok' ? 'down' : away ? 'degraded' : 'ok',
      checks: { ...(ready?.checks ?? { readyz: 'no answer' }), ...(away ? { registry: away } : {}) },
    });
  }
  const mongodb = asked.flatMap(({ name, ready }) => (ready?.checks.mongodb ? [[name, ready.checks.mongodb] as const] : []));
  const up = mongodb.filter(([, result]) => result === 'ok').length;
  parts.push({
    name: 'mongodb',
    kind: 'database',
    version: null,
    state: mongodb.length === 0 ? 'degraded' : up === 0 ? 'down' : up < mongodb.length ? 'degraded' : 'ok',
    checks: mongodb.length === 0 ? { services: 'none answers that could say' } : Object.fromEntries(mongodb),
  });
  const refused = Boolean(shell.data?.refused);
  for (const { name, version, broken, fenced, keyRevokedAt } of shell.data?.releases ?? []) {
    parts.push({
      name,
      kind: 'mfe',
      version,
      state: broken ? 'down' : refused || fenced.length > 0 || keyRevokedAt ? 'degraded' : 'ok',
      checks: {
        live: broken ?? 'ok',
        ...(fenced.length > 0 ? { fenced: fenced.map(({ id }) => id).join(', ') } : {}),
        ...(keyRevokedAt ? { key: `revoked on ${keyRevokedAt}` } : {}),
        ...(refused ? { next: 'refused' } : {}),
      },
    });
  }
  return { parts, releasesKnown: Boolean(shell.data?.set) };
}

async function ask(url: string): Promise<z.infer<typeof readySchema> | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(askMs) });
    return readySchema.parse(await response.json());
  } catch {
    return null;
  }
}
