import { attemptLimit } from '@colonnade/service/attempt-limit';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { Counter, type Registry } from 'prom-client';
import * as z from 'zod';
import { plainAddress } from '../forwarded-headers.ts';
import type { ShellSets } from '../shell-sets.ts';

const windowMs = 60_000;
const outcomes = ['counted', 'repeated', 'unknown'] as const;

/** What a browser sends. What else it may say of the error is not even parsed: it could be about the visitor. */
const beaconSchema = z.object({ set: z.string().max(64), kind: z.literal('error') });

/** From a worker to the primary: this address has had an error in a page of this set. */
export interface BeaconMessage {
  beacon: { set: string; address: string };
}

interface BeaconsOptions {
  sets: Pick<ShellSets, 'isResident'>;
  /** Told of each that counts. */
  tell(message: BeaconMessage): void;
  metrics: Registry;
  now?: () => number;
}

/**
 * Takes the errors that browsers report: of sets that are resident, and one of each address (a /64 in IPv6) for a set in a
 * minute, so that nobody can make much of them. Always 204 for what has the form.
 */
export function beacons({ sets, tell, metrics, now = Date.now }: BeaconsOptions): RequestHandler {
  const beacons = new Counter({
    name: 'beacons_total',
    help: 'Errors that browsers have reported: counted, repeated within a minute, or of a set that is not resident.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  for (const outcome of outcomes) beacons.inc({ outcome }, 0);
  // Remembers 10,000 addresses; whoever has more can have each of them counted more often, and needs no memory of ours for it.
  const limit = attemptLimit({ max: 1, windowMs, now });

  function outcome(set: string, address: string): (typeof outcomes)[number] {
    if (!sets.isResident(set)) return 'unknown';
    const key = `${set} ${address}`;
    if (limit.waitS(key) > 0) return 'repeated';
    limit.count(key);
    tell({ beacon: { set, address } });
    return 'counted';
  }

  return (req, res) => {
    const { set } = parse(res.locals.body?.toString('utf8') ?? '');
    beacons.inc({ outcome: outcome(set, ipKeyGenerator(plainAddress(req.ip ?? ''), 64)) });
    res.set('Cache-Control', 'no-store').status(204).end();
  };
}

/** @throws Problem 400 */
function parse(text: string): z.infer<typeof beaconSchema> {
  try {
    return beaconSchema.parse(JSON.parse(text));
  } catch {
    throw new Problem(400, 'Bad request', { detail: 'A beacon is JSON with `set` and `kind`.' });
  }
}
