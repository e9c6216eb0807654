import { Router } from 'express';
import * as z from 'zod';

const askMs = 1500;

/** What `/readyz` of each process says. */
const readySchema = z.looseObject({
  status: z.string(),
  version: z.string().optional(),
  checks: z.record(z.string(), z.string()).default({}),
});
const shellSchema = z.looseObject({
  set: z.string().nullable(),
  releases: z.array(z.object({ name: z.string(), version: z.string() })),
  refused: z.unknown().nullish(),
});

type State = 'ok' | 'degraded' | 'down';
interface Part {
  name: string;
  kind: 'service' | 'database' | 'mfe';
  version: string | null;
  state: State;
  checks: Record<string, string>;
}

/**
 * `/health` and `/health/{name}` for ops: every process behind the gateway, MongoDB, and each microfrontend's live
 * release. 200 all well, 207 a part is missing, 503 no page can be shown.
 * @param services base URL by name; `shell` among them
 */
export function health(services: Record<string, string>): Router {
  const router = Router();
  router.get('/health', async (_req, res) => {
    const parts = await survey(services);
    const state: State = parts.some((part) => part.name === 'shell' && part.state === 'down')
      ? 'down'
      : parts.every((part) => part.state === 'ok')
        ? 'ok'
        : 'degraded';
    res.status({ ok: 200, degraded: 207, down: 503 }[state]).set('Cache-Control', 'no-store').json({ status: state, parts });
  });
  router.get('/health/:name', async (req, res, next) => {
    const part = (await survey(services)).find(({ name }) => name === req.params.name);
    if (!part) return next();
    res
      .status(part.state === 'down' ? 503 : part.state === 'degraded' ? 207 : 200)
      .set('Cache-Control', 'no-store')
      .json(part);
  });
  return router;
}

async function survey(services: Record<string, string>): Promise<Part[]> {
  const asked = await Promise.all(Object.entries(services).map(async ([name, url]) => ({ name, ready: await ask(url) })));
  const parts: Part[] = [{ name: 'gateway', kind: 'service', version: null, state: 'ok', checks: {} }];
  for (const { name, ready } of asked) {
    parts.push({
      name,
      kind: 'service',
      version: ready?.version ?? null,
      state: ready?.status === 'ok' ? 'ok' : 'down',
      checks: ready?.checks ?? { readyz: 'no answer' },
    });
  }
  const mongodb = asked.flatMap(({ name, ready }) => (ready?.checks.mongodb ? [[name, ready.checks.mongodb] as const] : []));
  const up = mongodb.filter(([, result]) => result === 'ok').length;
  parts.push({
    name: 'mongodb',
    kind: 'database',
    version: null,
    state: up === 0 ? 'down' : up < mongodb.length ? 'degraded' : 'ok',
    checks: Object.fromEntries(mongodb),
  });
  const shell = shellSchema.safeParse(asked.find(({ name }) => name === 'shell')?.ready);
  for (const { name, version } of shell.data?.releases ?? []) {
    parts.push({
      name,
      kind: 'mfe',
      version,
      state: shell.data?.refused ? 'degraded' : 'ok',
      checks: { live: 'ok', ...(shell.data?.refused ? { next: 'refused' } : {}) },
    });
  }
  return parts;
}

async function ask(url: string): Promise<z.infer<typeof readySchema> | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(askMs) });
    return readySchema.parse(await response.json());
  } catch {
    return null;
  }
}
