import type { RequestListener } from 'node:http';
import { createLog } from '@colonnade/service/log';
import { problemHandler } from '@colonnade/service/problem';
import express from 'express';
import { Registry } from 'prom-client';
import { wholeBody } from '../src/middleware/whole-body.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '../src/upstream.ts';
import { upstreamMetrics } from '../src/upstream-metrics.ts';
import { listening } from './servers.ts';

const log = createLog('test');

/** How visitors' requests are carried. */
export type Way = 'proxy' | 'page';

/** An upstream and the sum of a metric over all its labels. */
export function upstreamAt(target: string, options: Partial<UpstreamOptions> = {}) {
  const registry = new Registry();
  const metrics = upstreamMetrics(registry);
  return {
    upstream: createUpstream({ name: 'test', target, deadlineMs: 1000, maxInFlight: 64, maxQueued: 128, metrics, log, ...options }),
    async gauge(name: string): Promise<number> {
      const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
      return values.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

/** A gateway with nothing but upstreams, by the first segment of the path. Below `/unread` nobody reads bodies. */
export async function gatewayTo(upstreams: Record<string, Upstream>, way: Way) {
  const app = express().disable('x-powered-by');
  app.use((req, _res, next) => {
    req.id = req.get('x-test-id') ?? 'request-1';
    next();
  });
  const body = wholeBody(100_000);
  app.post('/{*path}', (req, res, next) => (req.path === '/unread' ? next() : body(req, res, next)));
  app.use((req, res, next) => upstreams[req.path.split('/')[1] ?? '']?.[way](req, res, next));
  app.use(problemHandler(log));
  return listening(app);
}

/** A gateway before one upstream: `/x` and `/unread`. */
export async function gatewayBefore(handler: RequestListener | string, way: Way, options: Partial<UpstreamOptions> = {}) {
  const target = typeof handler === 'string' ? handler : (await listening(handler)).url;
  const { upstream, gauge } = upstreamAt(target, options);
  const { url, port } = await gatewayTo({ x: upstream, unread: upstream }, way);
  return { url, port, upstream, gauge };
}
