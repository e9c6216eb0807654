/**
 * Listening sockets that outlive the processes which serve them: while one of these is started anew, connections wait in
 * the socket instead of being refused.
 */
import net from 'node:net';
import { getSystemErrorName } from 'node:util';
import { PortInUse } from './ports.ts';

/** What `net` makes of an address: a socket that is bound and does not accept by itself. */
interface BoundHandle {
  fd: number;
  getsockname(out: { port?: number }): number;
  close(): void;
}

/** Node's cluster makes its sockets by this function; there is no documented one that binds without accepting. */
const { _createServerHandle } = net as unknown as {
  _createServerHandle(host: string, port: number, addressType: 4 | 6, fd: -1): BoundHandle | number;
};

export interface HeldSocket {
  /** To be passed to a child, which listens on it. */
  fd: number;
  close(): void;
}

/**
 * Binds an address.
 * @param host an address; empty for every address of the machine
 * @throws PortInUse where another program has it
 */
export function holdSocket({ host, port }: { host: string; port: number }): HeldSocket {
  let handle = _createServerHandle(host || '::', port, host === '' || net.isIPv6(host) ? 6 : 4, -1);
  // A machine without IPv6.
  if (typeof handle === 'number' && host === '') handle = _createServerHandle('0.0.0.0', port, 4, -1);
  if (typeof handle === 'number') {
    throw new PortInUse(`Port ${port} on ${host || 'every address'} cannot be used (${getSystemErrorName(handle)}).`);
  }
  const bound: { port?: number } = {};
  handle.getsockname(bound);
  // That an address is in use is said only when one listens; until then the socket just has no port.
  if (bound.port !== port) {
    handle.close();
    throw new PortInUse(`Port ${port} is in use by another program.`);
  }
  return handle;
}
