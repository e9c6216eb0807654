import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { build, json, keyringOf, publish, team } from '../fixtures/release.ts';
import { type Instance, type Service, startInstance, startService } from '../fixtures/service.ts';
import { startShell } from '../fixtures/shell.ts';

const all = team('All', '*');
let service: Service;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_away_test');
  await (await service.staff()).putKeyring(keyringOf(1, all.key));
});
afterAll(() => service.close());

/** A way to MongoDB that can be closed. */
async function road(port: number) {
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((near) => {
    if (!open) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    block: () => {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    clear: () => {
      open = true;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

it('answers 503 while MongoDB is away, keeps its shells, and goes on when it is back', async () => {
  const direct = new URL(service.uri);
  const way = await road(Number(direct.port));
  direct.port = String(way.port);
  direct.searchParams.delete('replicaSet');
  direct.searchParams.set('directConnection', 'true');
  const instance: Instance = await startInstance(direct.href);
  await instance.database.prepared;
  const shell = await startShell(instance.origin, 'shell-1', () => ({ ok: true }));
  const sign = json(all.sign(build('mfe-news', '1.0.0').bytes));

  way.block();
  for (const [path, init] of [['/state'], ['/releases'], ['/keyring'], ['/releases', sign], ['/events?shell=b']] as const) {
    const { status, headers } = await instance.ask(path, init);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2']);
  }
  expect((await instance.ask('/livez')).status).toBe(200);
  expect((await instance.ask('/readyz')).status).toBe(503);

  way.clear();
  await expect.poll(async () => (await publish(instance.ask, all, build('mfe-news', '1.0.0'))).status).toBeLessThan(202);
  // The shell's stream has lived through it, and tells of what another instance does.
  const { post } = await service.staff();
  const seenAt = { $gt: new Date() };
  await expect.poll(() => service.collections.connections.countDocuments({ seenAt })).toBe(1);
  await expect.poll(async () => (await post('/activations', { name: 'mfe-news', version: '1.0.0' })).status).toBe(202);
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.0.0' });
  await shell.close();
  await instance.close();
  await way.close();
}, 60_000);

it('answers 503 at once as long as its database was never there', async () => {
  const instance = await startInstance('mongodb://127.0.0.1:1/none');
  expect((await instance.ask('/state')).status).toBe(503);
  await instance.close();
});
