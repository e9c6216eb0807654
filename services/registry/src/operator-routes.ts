/** For the operator, with a token: who may sign, and what is live. */

import { activateSchema, activationSchema, nameSchema, rollbackSchema, withdrawSchema } from '@colonnade/release/api';
import { signedKeyringSchema } from '@colonnade/release/schema';
import type { Database } from '@colonnade/service/database';
import { methodNotAllowed } from '@colonnade/service/problem';
import { requireStaff } from '@colonnade/service/staff';
import type { Request, Response, Router } from 'express';
import type { Activations } from './activations.ts';
import type { Actor } from './audit.ts';
import { bodyOf, jsonBody } from './body.ts';
import type { Canary } from './canary.ts';
import type { ActivationDocument } from './collections.ts';
import { activationAnswer } from './history.ts';
import type { KeyringStore } from './keyring-store.ts';

export interface OperatorRoutesOptions {
  database: Database;
  keyring: KeyringStore;
  activations: Activations;
  canary: Canary;
  attemptsPerMinute?: number | undefined;
}

export function operatorRoutes(router: Router, { database, keyring, activations, canary, attemptsPerMinute }: OperatorRoutesOptions): void {
  const operator = requireStaff({ database, realm: 'registry', roles: ['operator', 'admin'], attemptsPerMinute });
  const { within } = database;
  router.put('/keyring', operator, jsonBody, async (req, res) => {
    const changed = await within(keyring.replace(bodyOf(signedKeyringSchema, req), actorOf(req)));
    res.status(changed ? 201 : 200).json({ changed });
  });
  router.all('/keyring', methodNotAllowed('GET', 'HEAD', 'PUT'));
  router.post('/activations', operator, jsonBody, async (req, res) => {
    answer(res, await within(activations.activate(bodyOf(activateSchema, req), actorOf(req))));
  });
  router.post('/rollbacks', operator, jsonBody, async (req, res) => {
    answer(res, await within(activations.rollBack(bodyOf(rollbackSchema, req), actorOf(req))));
  });
  router.post('/deactivations', operator, jsonBody, async (req, res) => {
    answer(res, await within(activations.deactivate(bodyOf(nameSchema, req).name, actorOf(req))));
  });
  router.post('/canary/promote', operator, async (req, res) => answer(res, await within(canary.promote(actorOf(req)))));
  router.post('/canary/withdraw', operator, jsonBody, async (req, res) => {
    const { reason } = bodyOf(withdrawSchema, req);
    answer(res, await within(canary.withdraw(actorOf(req), reason ?? `withdrawn by ${req.staff.name}`)));
  });
  router.all(['/activations', '/rollbacks', '/deactivations', '/canary/promote', '/canary/withdraw'], methodNotAllowed('POST'));
}

/** 202 as long as shells try it: its address tells how that ends. */
function answer(res: Response, activation: ActivationDocument): void {
  res.status(activation.state === 'trying' ? 202 : 201).location(`/activations/${activation._id}`);
  res.json(activationSchema.parse(activationAnswer(activation)));
}

function actorOf({ staff: { id, name } }: Request): Actor {
  return { kind: 'operator', id, name };
}
