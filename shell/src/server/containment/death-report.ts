import { writeSync } from 'node:fs';
import * as z from 'zod';

/** Why a worker ended, or has to, and whose doing it was. */
export const deathReportSchema = z.object({
  /** `broken`: the release cannot be used at all. */
  reason: z.enum(['stuck', 'memory', 'exception', 'broken']),
  mfe: z.string().optional(),
  version: z.string().optional(),
  /** Route pattern or slot name. */
  part: z.string().optional(),
  requestId: z.string().optional(),
  /** For `broken`: what is wrong with it. */
  message: z.string().optional(),
  stack: z.string().optional(),
});
export type DeathReport = z.infer<typeof deathReportSchema>;

/** The pipe on which the supervisor reads a worker's last words. */
const reportFd = 4;

/** Leaves word with the supervisor. Synchronous: the process may be about to be killed, and its main thread may be stuck. */
export function leaveReport(report: DeathReport): void {
  try {
    writeSync(reportFd, JSON.stringify(report));
  } catch {
    // Nobody listens: what is to happen to this process happens all the same.
  }
}
