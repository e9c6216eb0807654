import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { Counter } from 'prom-client';
import type { DeathReport } from './death-report.ts';
import { currentWork } from './work.ts';

interface StraysOptions {
  log: Log;
  metrics: Metrics;
  /** After an exception the state of the process is unknown: it has to be replaced. */
  onException(report: DeathReport): void;
}

/** Decides about errors that a release let fall where nobody waits for them. For `serve`'s `onUncaught`. */
export function createStrayHandler({ log, metrics, onException }: StraysOptions) {
  const count = new Counter({
    name: 'shell_stray_errors_total',
    help: 'Errors that nobody caught, by kind and microfrontend.',
    labelNames: ['kind', 'mfe'] as const,
    registers: [metrics],
  });
  let ending = false;
  return (err: unknown, kind: 'exception' | 'rejection'): void => {
    const { mfe, version, part, requestId } = currentWork() ?? {};
    count.inc({ kind, mfe: mfe ?? 'shell' });
    // A timer that throws does so again and again, until this process has gone.
    if (ending && kind === 'exception') return;
    log.error({ mfe, version, part, requestId, err }, kind === 'exception' ? 'uncaught exception' : 'unhandled rejection');
    if (kind === 'rejection') return;
    ending = true;
    onException({ reason: 'exception', mfe, version, part, requestId });
  };
}
