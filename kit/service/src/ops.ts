/** The three addresses that every process answers on its own port: alive, ready, metrics. */
import { type RequestHandler, Router } from 'express';
import type { Metrics } from './metrics.ts';
import { shuttingDown } from './shutdown.ts';

/** A check that takes longer counts as down: whoever asks `/readyz` does not wait for ever either. */
const checkDeadlineMs = 1000;

export interface OpsOptions {
  name: string;
  version: string;
  /** What this process needs in order to serve; each rejects where it does not have it. */
  checks: Record<string, () => Promise<void>>;
  /** Further facts for `/readyz`, such as the release set. */
  state?: () => object;
  registry: Pick<Metrics, 'contentType' | 'metrics'>;
}

/** `/livez` (restart me if this fails), `/readyz` (send me traffic) and `/metrics`. */
export function opsRoutes({ name, version, checks, state = () => ({}), registry }: OpsOptions): Router {
  const router = Router();
  router.get('/livez', noStore, (_req, res) => {
    res.json({ status: 'ok', name, uptimeS: Math.floor(process.uptime()) });
  });
  router.get('/readyz', noStore, async (_req, res) => {
    const results = Object.fromEntries(
      await Promise.all(Object.entries(checks).map(async ([check, run]) => [check, await passes(run)] as const)),
    );
    const up = !shuttingDown.aborted && Object.values(results).every((result) => result === 'ok');
    res.status(up ? 200 : 503).json({ ...state(), status: up ? 'ok' : 'down', name, version, checks: results });
  });
  router.get('/metrics', noStore, async (_req, res) => {
    res.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}

const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

async function passes(run: () => Promise<void>): Promise<'ok' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('deadline')), checkDeadlineMs);
  });
  try {
    await Promise.race([run(), deadline]);
    return 'ok';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}
