import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** Each look at the event loop wakes the process: at the usual 10 ms the idle site woke a thousand times a second. */
const eventLoopLookMs = 100;

/** A Prometheus registry with Node's own metrics; each series is labelled with the name of the process. */
export function createMetrics(name: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: name });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopLookMs });
  return registry;
}
