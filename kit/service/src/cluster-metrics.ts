/** The metrics of a cluster: its primary answers for all workers, with what they have added up. */
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** What the primary asks and a worker answers, by the id of the question. */
interface Question {
  metricsFor?: string;
}
interface Answer {
  metricsFor?: string;
  metrics?: object[];
}

/** In a worker: tells the primary its metrics whenever it asks. */
export function tellMetrics(registry: Metrics): void {
  process.on('message', async ({ metricsFor }: Question) => {
    if (!metricsFor) return;
    // What cannot be measured is no reason to end.
    const metrics = await registry.getMetricsAsJSON().catch(() => []);
    process.send?.({ metricsFor, metrics } satisfies Answer, () => {});
  });
}

/**
 * In the primary: the metrics of the workers that listen and answer within a second. prom-client's own `clusterMetrics`
 * fails, after 5 s, wherever one worker is starting, stuck or dies meanwhile: just when somebody looks.
 * @param answerMs a worker tells its metrics in a few milliseconds; one that is stuck must not take those of the others away
 */
export function clusterMetrics(answerMs = 1000): Pick<Metrics, 'contentType' | 'metrics'> {
  const listening = new WeakSet<Worker>();
  cluster.on('listening', (worker) => void listening.add(worker));
  return {
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
    async metrics() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker && listening.has(worker));
      return AggregatorRegistry.aggregate(await Promise.all((workers as Worker[]).map((worker) => metricsOf(worker, answerMs)))).metrics();
    },
  };
}

/** None where it does not answer. */
function metricsOf(worker: Worker, answerMs: number): Promise<object[]> {
  const metricsFor = randomUUID();
  return new Promise((resolve) => {
    const end = (metrics: object[] = []) => {
      clearTimeout(late);
      worker.off('message', take).off('exit', gone);
      resolve(metrics);
    };
    const take = (answer: Answer) => answer?.metricsFor === metricsFor && end(answer.metrics);
    const gone = () => end();
    const late = setTimeout(gone, answerMs);
    worker.on('message', take).on('exit', gone);
    worker.send({ metricsFor } satisfies Question, (error) => error && gone());
  });
}
