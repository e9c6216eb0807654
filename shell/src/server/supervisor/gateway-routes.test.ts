import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { RegistryAway, RegistryRefused } from '@colonnade/release/registry-request';
import { createLog } from '@colonnade/service/log';
import { problemHandler } from '@colonnade/service/problem';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { ReleaseBroken } from '../release-set.ts';
import { gatewayRoutes } from './gateway-routes.ts';

const away = new RegistryAway('The registry at http://10.0.0.5:3203 does not answer.');
const broken = (why: string, cause?: Error) => new ReleaseBroken('mfe-a', '1.0.0', `mfe-a@1.0.0: ${why}`, { cause });
const full = Object.assign(new Error("ENOSPC: no space left on device, open '/srv/releases/mfe-a'"), { errno: -28, code: 'ENOSPC' });
const none = new RegistryRefused(404, { code: 'no-release', detail: 'There is no mfe-a@1.0.0.', errors: {}, missing: [] });

for (const [what, error, status, detail] of [
  ['is not in the registry', broken(none.message, none), 404, 'mfe-a@1.0.0: There is no mfe-a@1.0.0.'],
  ['does not load', broken("Cannot find module 'x'\nRequire stack:\n- /srv/mfe.cjs"), 409, "mfe-a@1.0.0: Cannot find module 'x'"],
  ['finds no room here', broken(full.message, full), 503, 'It could not be started.'],
  ['cannot be fetched now', broken(away.message, away), 503, 'The registry does not answer.'],
  ['is torn, and cannot be fetched now', broken('torn', new Error('torn', { cause: away })), 503, 'The registry does not answer.'],
  ['does not start here', new Error('no free port among the 30 from 3101 on'), 503, 'It could not be started.'],
] as const) {
  test(`the preview of a release that ${what} is ${status}, and tells nothing of where processes are`, async () => {
    const sets = { preview: () => Promise.reject(error) };
    const app = express().use(gatewayRoutes(sets as unknown as Parameters<typeof gatewayRoutes>[0]), problemHandler(createLog('test')));
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/previews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'mfe-a', version: '1.0.0' }),
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ status, detail });
  });
}
