// Identifies callers over HTTP: by the address of the connection, or by the headers of the operator's own proxies
// (`TRUST_PROXY`).

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** A caller of the server: the IP address and, for limits, values derived from it. */
export type Caller = {
  readonly ip: string;
  /**
   * Network for which limits are enforced: the address itself for IPv4, its /64 for IPv6, since providers give a /64 to each
   * customer.
   */
  readonly network: string;
  /** True if the caller is on this machine. */
  readonly isHere: boolean;
};

/** Maximum number of cached callers. */
const MAX = 10_000;

/**
 * Returns a function that identifies the caller of a request.
 * - `proxies`: addresses and networks (`10.1.0.0/16`) of the operator's own proxies. The header `X-Forwarded-For` from such a
 *   proxy is read from its end: the first address outside `proxies` is the caller's
 * - `unnamed`: called with the address of a proxy on this machine or in a private network that is missing in `proxies`. The
 *   operator may have forgotten it
 */
export function openCallers(proxies: readonly string[], unnamed?: (ip: string) => void): (request: IncomingMessage) => Caller {
  const isOurs = amongNetworks(proxies);
  const isPrivate = amongNetworks(PRIVATE);
  const known = new Map<string, Caller>();
  return (request) => {
    if (unnamed && isForwarded(request)) {
      const ip = plain(remote(request));
      if (isPrivate(ip) && !isOurs(ip)) unnamed(ip);
    }
    const ip = proxies.length === 0 ? remote(request) : behindProxies(request, isOurs);
    const found = known.get(ip);
    if (found) return found;
    const caller = callerAt(ip);
    if (known.size >= MAX) known.clear();
    known.set(ip, caller);
    return caller;
  };
}

/** Private networks. No caller on the internet has an address in them. */
const PRIVATE = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
];

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((name) => headers[name] !== undefined);

function callerAt(ip: string): Caller {
  const network = networkOf(ip);
  return { ip, network, isHere: isLoopback(ip) };
}

const remote = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

function behindProxies(request: IncomingMessage, isOurs: (ip: string) => boolean): string {
  const header = request.headers['x-forwarded-for'];
  let ip = remote(request);
  let rest = typeof header === 'string' ? header : '';
  while (rest !== '' && isOurs(ip)) {
    const comma = rest.lastIndexOf(',');
    const before = addressIn(rest.slice(comma + 1).trim());
    if (before === undefined) break;
    ip = before;
    rest = comma < 0 ? '' : rest.slice(0, comma);
  }
  return ip;
}

/** Returns the IP address in an entry of `X-Forwarded-For`, without a port; undefined if the entry contains no address. */
function addressIn(entry: string): string | undefined {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? [];
  const address = v6 ?? v4 ?? entry;
  return isIP(address) === 0 ? undefined : address;
}

/** Returns the network of an IP address for which limits are enforced (`Caller.network`). */
export function networkOf(ip: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4) return v4;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Returns the larger network in which one person may have many addresses: the /24 for IPv4 (also as IPv4-mapped IPv6), the /48
 * for IPv6. Undefined if the text is no address.
 */
export function networkBlock(ip: string): string | undefined {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] as string;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return undefined;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const start = head === '' ? [] : head.split(':');
  // Groups after `::`. These groups matter only if fewer than three groups precede `::`; the gap is filled with zeros.
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? start : [...start, ...Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0'), ...end];
  return `${groups
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/48`;
}

/** Returns true for a loopback address. */
export const isLoopback = (ip: string): boolean => ip === '::1' || /^(::ffff:)?127\./i.test(ip);

/** Returns the IPv4 address in an IPv4-mapped IPv6 address; any other address unchanged. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4');

/** Returns a function that is true for an IP address in one of the listed networks (`10.1.0.0/16`) or addresses. */
export function amongNetworks(listed: readonly string[]): (ip: string) => boolean {
  const own = new BlockList();
  for (const each of listed) {
    const [network = '', bits] = each.split('/');
    if (bits === undefined) own.addAddress(plain(network), familyOf(plain(network)));
    else own.addSubnet(network, Number.parseInt(bits, 10), familyOf(network));
  }
  // Results by address. Most requests come from few proxies, so the cache stays small.
  const known = new Map<string, boolean>();
  return (ip) => {
    const found = known.get(ip);
    if (found !== undefined) return found;
    const isOwn = own.check(plain(ip), familyOf(plain(ip)));
    if (known.size >= 1_000) known.clear();
    known.set(ip, isOwn);
    return isOwn;
  };
}
