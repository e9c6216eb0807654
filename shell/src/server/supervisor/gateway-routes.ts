import { mfeNameSchema, versionSchema } from '@colonnade/release/api';
import { RegistryAway, RegistryRefused } from '@colonnade/release/registry-request';
import { Problem } from '@colonnade/service/problem';
import express, { type Router } from 'express';
import * as z from 'zod';
import { ReleaseBroken } from '../release-set.ts';
import type { ResidentSets } from './resident-sets.ts';

const previewSchema = z.object({ name: mfeNameSchema, version: versionSchema });
const unansweredSchema = z.object({ set: z.string().max(20), requests: z.int().min(1).max(10_000_000) });
const beaconsSchema = z.object({ set: z.string().max(20), addresses: z.int().min(0).max(10_000_000) });

/** For gateways: `POST /previews` makes a set resident that only some may see, `POST /beacons` and `POST /unanswered` pass on what failed elsewhere. */
export function gatewayRoutes(sets: Pick<ResidentSets, 'preview' | 'takeBeacons' | 'takeUnanswered'>): Router {
  const router = express.Router();
  router.use(['/previews', '/beacons', '/unanswered'], express.json({ limit: '2kb' }));
  router.post('/previews', async (req, res) => {
    const { name, version } = parsed(previewSchema, req.body);
    try {
      const { set, port } = await sets.preview(name, version);
      res.json({ set: set.id, port });
    } catch (error) {
      throw previewProblem(error);
    }
  });
  router.post('/beacons', (req, res) => {
    const { set, addresses } = parsed(beaconsSchema, req.body);
    sets.takeBeacons(set, addresses);
    res.status(204).end();
  });
  router.post('/unanswered', (req, res) => {
    const { set, requests } = parsed(unansweredSchema, req.body);
    sets.takeUnanswered(set, requests);
    res.status(204).end();
  });
  return router;
}

/** What is wrong with a release may be told to whoever has asked for it, but neither an address nor a path of ours. */
function previewProblem(error: unknown): Problem {
  const unavailable = (detail: string) => new Problem(503, 'Preview unavailable', { detail, cause: error });
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof RegistryAway)) return unavailable('The registry does not answer.');
  // The system's, such as a full disk, are not the release's doing.
  if (!(error instanceof ReleaseBroken) || causes.some((cause) => 'errno' in cause)) return unavailable('It could not be started.');
  // What follows the first line is which files of ours have asked for one that is missing.
  const [detail] = error.message.split('\n', 1);
  const isUnknown = error.cause instanceof RegistryRefused && error.cause.status === 404;
  return isUnknown ? new Problem(404, 'No such release', { detail }) : new Problem(409, 'Release refused', { detail });
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new Problem(422, 'Unprocessable content', { detail: z.prettifyError(result.error) });
  return result.data;
}
