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
  if (isAway(error)) return new Problem(503, 'Preview unavailable', { detail: 'The registry does not answer.', cause: error });
  if (!(error instanceof ReleaseBroken))
    return new Problem(503, 'Preview unavailable', { detail: 'It could not be started.', cause: error });
  const { cause } = error;
  if (cause instanceof RegistryRefused && cause.status === 404) return new Problem(404, 'No such release', { detail: error.message });
  return new Problem(409, 'Release refused', { detail: error.message });
}

function isAway(error: unknown): boolean {
  return error instanceof RegistryAway || (error instanceof Error && isAway(error.cause));
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new Problem(422, 'Unprocessable content', { detail: z.prettifyError(result.error) });
  return result.data;
}
