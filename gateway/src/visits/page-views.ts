import { Counter, type Registry } from 'prom-client';
import type { SetKind } from '../shell-sets.ts';

/** Counts page views by the kind of set that they came from and the class of their status. */
export function pageViews(registry: Registry): (set: SetKind, status: number) => void {
  const views = new Counter({
    name: 'page_views_total',
    help: 'Answers to requests of pages and their data, from copies or from the shell.',
    labelNames: ['set', 'status'] as const,
    registers: [registry],
  });
  return (set, status) => views.inc({ set, status: `${Math.floor(status / 100)}xx` });
}
