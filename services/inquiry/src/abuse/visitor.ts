/** Who a visitor is for the limit: an address that somebody trustworthy names. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Names the visitor of a request, or undefined where a trusted caller speaks for itself. */
export type VisitorOf = (req: Request) => string | undefined;

/**
 * The last address of `X-Forwarded-For` where the peer is loopback or trusted (the gateway says one, and the shell passes it on),
 * else the peer's own. IPv6 counts by /64: whoever has one address has them all.
 * @param trustedPeers addresses or networks such as `10.0.0.0/8`
 */
export function visitorOf(trustedPeers: readonly string[]): VisitorOf {
  const trusted = new BlockList();
  for (const peer of ['127.0.0.0/8', '::1', ...trustedPeers]) {
    const [address = '', bits] = peer.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (req) => {
    const peer = plain(req.socket.remoteAddress ?? '');
    if (isIP(peer) === 0) return undefined;
    if (!trusted.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return network(peer);
    const named = plain(req.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '');
    return isIP(named) === 0 ? undefined : network(named);
  };
}

/** Without the zone of a link-local address; `::ffff:192.0.2.1` is how a dual-stack socket shows an IPv4 address. */
const plain = (address: string) => (address.split('%', 1)[0] ?? '').replace(/^::ffff:(?=\d+\.)/i, '');

function network(address: string): string {
  if (!isIPv6(address)) return address;
  // The URL parser writes every address in one way; `::` stands for the groups that are missing.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return `${[...groups(head), ...Array(zeros).fill('0'), ...groups(tail)].slice(0, 4).join(':')}::/64`;
}
