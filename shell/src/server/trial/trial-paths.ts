import { randomUUID } from 'node:crypto';
import type { Context } from '@colonnade/mfe';
import { StatusError } from '@colonnade/mfe/host';
import * as z from 'zod';
import { doing } from '../containment/work.ts';
import { withDeadline } from '../deadline.ts';
import type { ServerRoute } from '../remotes.ts';
import type { CallScope } from '../service-client.ts';

/** By pattern: the path of a page that exists, or why there is none. `away`: because of a service, not of the release. */
export const trialPathsSchema = z.record(
  z.string(),
  z.union([z.object({ path: z.string() }), z.object({ error: z.string(), away: z.boolean() })]),
);
export type TrialPaths = z.infer<typeof trialPathsSchema>;

interface TrialPathsOptions {
  routes: ServerRoute[];
  context(scope: CallScope): Context;
  deadlineMs: number;
}

/** Asks each route with parameters for a page that exists. */
export async function nameTrialPaths({ routes, context, deadlineMs }: TrialPathsOptions): Promise<TrialPaths> {
  const named = routes
    .filter(({ route }) => route.path.includes('/:'))
    .map(async ({ route, release }): Promise<[string, TrialPaths[string]]> => {
      const requestId = randomUUID();
      const work = { mfe: release.name, version: release.version, part: route.path, requestId };
      try {
        const params = await doing(work, () => withDeadline(deadlineMs, (ending) => route.trial?.(context({ requestId, ending }))));
        return [route.path, { path: filledIn(route.path, params ?? {}) }];
      } catch (error) {
        const { message } = error instanceof Error ? error : { message: String(error) };
        return [route.path, { error: message, away: error instanceof StatusError && error.status === 503 }];
      }
    });
  return Object.fromEntries(await Promise.all(named));
}

function filledIn(pattern: string, params: Record<string, string>): string {
  return pattern.replaceAll(/\/:([A-Za-z]\w*)/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw new Error(`its trial gives no ${name}`);
    return `/${encodeURIComponent(value)}`;
  });
}
