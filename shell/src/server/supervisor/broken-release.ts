import { WorkerFailed } from '@colonnade/service/worker-pool';
import { deathReportSchema } from '../containment/death-report.ts';
import { ReleaseBroken } from '../release-set.ts';

/** The release because of which a set did not start, where it is known. */
export function brokenRelease(error: unknown): ReleaseBroken | undefined {
  if (error instanceof ReleaseBroken) return error;
  const { data: report } = deathReportSchema.safeParse(error instanceof WorkerFailed ? error.death.report : undefined);
  if (!report?.mfe || !report.version) return undefined;
  const message = report.message ?? `${report.mfe}@${report.version}: ${report.reason} while loading`;
  const broken = new ReleaseBroken(report.mfe, report.version, message);
  // Where it happened, not where it was read.
  if (report.stack) broken.stack = report.stack;
  return broken;
}
