import { canonicalEmail, isLoopback, networkBlock } from '../platform/index.ts';
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
