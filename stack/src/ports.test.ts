import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkPorts, freePort, PortInUse } from './ports.ts';

async function listening(host: string | undefined): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

test.each(['127.0.0.1', undefined])(
  'a port that another program has on %s is named, with the variable that chooses another',
  async (host) => {
    const port = await listening(host);
    const check = checkPorts({ PORT: await freePort(), NEWS_PORT: port });
    await expect(check).rejects.toThrow(PortInUse);
    await expect(check).rejects.toThrow(
      new RegExp(`^Port ${port} is in use by another program\\. Is it this site, started already\\? .*NEWS_PORT=${port + 1000}`),
    );
  },
);

test('free ports pass, and looking leaves them free', async () => {
  const port = await freePort();
  await checkPorts({ PORT: port });
  await checkPorts({ PORT: port });
});
