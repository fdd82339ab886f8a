import { isIPv4, isIPv6 } from 'node:net';
import { canonicalEmail, isLoopback } from '../platform/index.ts';
import { configured } from './configure.ts';

/** Who asks, as far as it is known. */
export interface Subject {
  /** As typed; what counts is its canonical form. */
  readonly email: string;
  /** Accounts of the customer, each as `<currency>:<key of its checked account>`. */
  readonly accounts: readonly string[];
  /** What tells one device behind an address from another. */
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
}

/** The keys under which limits count: never the network, which is only a signal. */
export function customerKeys(subject: Subject): string[] {
  const keys = [`email:${canonicalEmail(subject.email)}`, ...subject.accounts.map((account) => `account:${account}`)];
  if (subject.device && counts(subject.ip)) keys.push(`device:${subject.device}`);
  return [...new Set(keys)].sort();
}

/** The key of a subject's network, or undefined where it doesn't count. */
export function networkKey(subject: Subject): string | undefined {
  const block = subject.ip === undefined || !counts(subject.ip) ? undefined : networkBlock(subject.ip);
  return block === undefined ? undefined : `net:${block}`;
}

/** Whether what is derived from an address counts: in the sandbox not that of this machine, where all customers are one. */
const counts = (ip: string | undefined): boolean => ip === undefined || configured().countLoopback || !isLoopback(ip);

/**
 * The network that unpaid orders are bounded by: an address's /24 (IPv4, also when written inside IPv6) or its /48 (IPv6).
 * Undefined for what is no address.
 */
export function networkBlock(ip: string): string | undefined {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] as string;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return undefined;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const start = head === '' ? [] : head.split(':');
  // Groups behind `::` matter only when fewer than three stand before it, and then zeros fill the gap.
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? start : [...start, ...Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0'), ...end];
  return `${groups
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/48`;
}
