import { Counter, Gauge, type Registry } from 'prom-client';
import type { BreakerState } from './breaker.ts';

/** What is measured about each upstream, under its name. */
export interface UpstreamMetrics {
  inFlight: Gauge<'upstream'>;
  queued: Gauge<'upstream'>;
  breaker: Gauge<'upstream'>;
  refused: Counter<'upstream' | 'reason'>;
  retries: Counter<'upstream'>;
}

/** Why an upstream was not asked: its breaker is open, it had no place, or none in time. */
export const refusals = ['breaker', 'full', 'waited'] as const;
export type Refusal = (typeof refusals)[number];

/** 0 is well. With several workers the sum is greater than 0 as long as one of them is not. */
export const breakerLevel: Record<BreakerState, number> = { closed: 0, 'half-open': 1, open: 2 };

/** Registers them; once for each registry. */
export function upstreamMetrics(registry: Registry): UpstreamMetrics {
  const registers = [registry];
  const labelNames = ['upstream'] as const;
  return {
    inFlight: new Gauge({ name: 'upstream_requests_in_flight', help: 'Requests that an upstream is answering.', labelNames, registers }),
    queued: new Gauge({ name: 'upstream_requests_queued', help: 'Requests that wait for a place.', labelNames, registers }),
    breaker: new Gauge({ name: 'upstream_breaker', help: '0 closed, 1 half-open, 2 open.', labelNames, registers }),
    refused: new Counter({
      name: 'upstream_requests_refused_total',
      help: 'Requests that were answered 503 without asking the upstream.',
      labelNames: ['upstream', 'reason'] as const,
      registers,
    }),
    retries: new Counter({ name: 'upstream_retries_total', help: 'Requests that were sent again.', labelNames, registers }),
  };
}

/** Takes what was measured about an upstream that is gone out of the metrics: each release would leave its series behind. */
export function removeUpstream({ refused, ...others }: UpstreamMetrics, upstream: string): void {
  for (const reason of refusals) refused.remove({ upstream, reason });
  for (const metric of Object.values(others)) metric.remove({ upstream });
}
