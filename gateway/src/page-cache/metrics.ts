import { Counter, Gauge, type Registry } from 'prom-client';
import type { Copies } from './copies.ts';

const results = ['hit', 'stale', 'miss', 'rescued', 'failed'] as const;
/**
 * `hit`: a fresh copy; `stale`: an old one, made anew behind the visitor's back; `miss`: the shell was asked first;
 * `rescued`: that failed, and the last good copy was served; `failed`: there was none.
 */
export type Result = (typeof results)[number];

/** Counts what came of each request of a cacheable page. */
export function pageCacheMetrics(registry: Registry, copies: Copies): (result: Result) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'page_cache_requests_total',
    help: 'Requests of cacheable pages and their data, by what they were answered from.',
    labelNames: ['result'] as const,
    registers,
  });
  new Gauge({
    name: 'page_cache_bytes',
    help: 'Memory that the copies take.',
    registers,
    collect() {
      this.set(copies.bytes);
    },
  });
  new Gauge({
    name: 'page_cache_copies',
    help: 'Pages of which there is a copy.',
    registers,
    collect() {
      this.set(copies.size);
    },
  });
  // Looked up once: a hit costs little more than this count.
  const counted = new Map(results.map((result) => [result, requests.labels(result)]));
  return (result) => counted.get(result)?.inc();
}
