import { createServer } from 'node:net';

/** A port that another program has. */
export class PortInUse extends Error {
  override name = 'PortInUse';
}

/**
 * Looks whether each port can be had, before anything is started.
 * @param ports port by the name of the variable that chooses it
 * @throws PortInUse naming the first that cannot
 */
export async function checkPorts(ports: Record<string, number>): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    if (!(await isFree(port))) {
      throw new PortInUse(
        `Port ${port} is in use by another program. Is it this site, started already? Else stop that program, or choose another port: ${variable}=${port + 1000} npx --yes pnpm@12 start`,
      );
    }
  }
}

/** Free on loopback and, where that is another thing, on every address. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}

/** A port that is free now, below the range from which the system gives ports to clients. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}
