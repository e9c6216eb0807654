import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** A Prometheus registry with Node's own metrics; each series is labelled with the name of the process. */
export function createMetrics(name: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: name });
  collectDefaultMetrics({ register: registry });
  return registry;
}
