import type { RequestListener } from 'node:http';
import { createLog } from '@colonnade/service/log';
import { notFoundHandler } from '@colonnade/service/problem';
import { Registry } from 'prom-client';
import { type AppOptions, createApp } from '../src/app.ts';
import { answerRaw } from '../src/raw-answers.ts';
import { createUpstream } from '../src/upstream.ts';
import { upstreamMetrics } from '../src/upstream-metrics.ts';
import { listening } from './servers.ts';

export const origin = 'http://site.example';

/** The whole gateway before one upstream that plays all of them. @returns its port */
export async function door(target: string | RequestListener, options: Partial<AppOptions> = {}): Promise<number> {
  const log = createLog('test');
  const metrics = new Registry();
  const upstream = createUpstream({
    name: 'all',
    target: typeof target === 'string' ? target : (await listening(target)).url,
    deadlineMs: 1000,
    maxInFlight: 64,
    maxQueued: 128,
    metrics: upstreamMetrics(metrics),
    log,
  });
  const { proxy, page } = upstream;
  const app = createApp({
    log,
    metrics,
    origin,
    hosts: ['localhost'],
    trustedProxies: [],
    floodPerMinute: 0,
    services: { news: upstream, inquiry: upstream },
    sets: { available: true, forFile: proxy, known: (_req, _res, next) => next(), live: proxy },
    pages: page,
    beacon: (_req, res) => void res.sendStatus(204),
    preview: notFoundHandler,
    dev: false,
    ...options,
  });
  const { server, port } = await listening(app);
  answerRaw(server, origin);
  return port;
}
