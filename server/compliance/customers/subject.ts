import { canonicalEmail, isLoopback, networkBlock } from '../../platform/index.ts';
import { configured } from '../configure.ts';

/** A signed-in account holder, with their mailbox if it is verified. */
export interface ShownHolder {
  readonly id: string;
  readonly mailbox?: string | undefined;
}

/** All that is known of the customer who makes a request. */
export interface Subject {
  /** E-mail address as typed; unverified unless it is the holder's mailbox. Empty if none is known. */
  readonly email: string;
  /** Accounts that the customer typed, each as `<currency>:<key of the checked account>`. */
  readonly accounts: readonly string[];
  /** Id of the device, which distinguishes devices behind one IP address. */
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
  /** The account holder, if the customer is signed in. */
  readonly holder?: ShownHolder | undefined;
  /** The partner, if a partner's program acts for the customer. All requests of the partner are treated as one network. */
  readonly partner?: Partner | undefined;
}

/** An account holder whose programs place orders for customers. `maxOpen`: maximum number of open unpaid orders. */
export interface Partner {
  readonly id: string;
  readonly maxOpen: number;
}

/**
 * Returns the keys under which limits sum up a subject's orders: proven keys (the signed-in account and its mailbox) and the
 * device. Typed data proves nothing about who typed it. In the sandbox on this machine, devices can't be told apart, so typed
 * data and device form a key together. The network is never a key: it is only a signal.
 */
export function customerKeys(subject: Subject): string[] {
  const { device, holder, ip } = subject;
  const isApart = device !== undefined && device !== '' && counts(ip);
  if (isApart || holder) return shownKeys(subject);
  return typedKeys(subject).map((key) => `typed:${device ?? ''}:${key}`);
}

/** Returns a subject's proven keys: the signed-in account, its verified mailbox, and the device if devices can be told apart. */
export function shownKeys({ device, holder, ip }: Subject): string[] {
  const keys: string[] = holder ? [`holder:${holder.id}`] : [];
  if (holder?.mailbox !== undefined) keys.push(`email:${canonicalEmail(holder.mailbox)}`);
  if (device && counts(ip)) keys.push(`device:${device}`);
  return keys.sort();
}

/** Returns the keys that a subject has only typed: accounts, and the e-mail unless it is their verified mailbox. */
export function typedKeys(subject: Subject): string[] {
  const email = isShown(subject) || subject.email === '' ? [] : [`email:${canonicalEmail(subject.email)}`];
  return [...new Set([...email, ...subject.accounts.map((account) => `account:${account}`)])].sort();
}

/** Returns all keys of a subject, proven or typed. Two subjects with a common key are treated as the same customer. */
export const knownBy = (subject: Subject): string[] => [...new Set([...shownKeys(subject), ...typedKeys(subject)])];

/** Returns true if the typed e-mail is the holder's verified mailbox. */
export function isShown({ email, holder }: Pick<Subject, 'email' | 'holder'>): boolean {
  return holder?.mailbox !== undefined && canonicalEmail(holder.mailbox) === canonicalEmail(email);
}

/**
 * Returns the key of a typed e-mail of a customer without a verified mailbox. Reversible payments of everybody who types the same
 * address are summed up under this key, since nothing else distinguishes these people. Without an address there is none.
 */
export function claimedKey({ email, holder }: Pick<Subject, 'email' | 'holder'>): string | undefined {
  return holder?.mailbox === undefined && email !== '' ? `claimed:${canonicalEmail(email)}` : undefined;
}

/**
 * Returns the name under which the sums of a customer's payments and payouts are added up: the holder, or the typed e-mail and
 * the device.
 */
export function customerOf({ email, device, holder }: Omit<Subject, 'accounts'>): string {
  return holder ? `holder:${holder.id}` : `${canonicalEmail(email)}${device === undefined ? '' : ` at ${device}`}`;
}

/** Returns the keys under which the desk blocks accounts. Each account is given as `<currency>:<key of the checked account>`. */
export const addressKeys = (accounts: readonly string[]): string[] => accounts.map((account) => `address:${account}`);

/** Returns the keys that only the desk's blocks use: the typed accounts and the network. They prove nobody's identity. */
export function blockableKeys(subject: Subject): string[] {
  const network = networkKey(subject);
  return [...addressKeys(subject.accounts), ...(network === undefined ? [] : [network])];
}

/** Returns the common network key of all requests by a partner's programs. */
export const partnerKey = ({ id }: Pick<Partner, 'id'>): string => `net:partner/${id}`;

/** Returns the key of a subject's network; undefined if the network is unknown or must not be used. */
export function networkKey(subject: Subject): string | undefined {
  if (subject.partner) return partnerKey(subject.partner);
  const block = subject.ip === undefined || !counts(subject.ip) ? undefined : networkBlock(subject.ip);
  return block === undefined ? undefined : `net:${block}`;
}

/** Returns the keys of a request's device and network. A key is undefined if it is unknown or must not be used. */
export function whence(request: { readonly device: string; readonly ip: string }): {
  readonly device: string | undefined;
  readonly network: string | undefined;
} {
  const subject = { ...request, email: '', accounts: [] };
  return { device: shownKeys(subject)[0], network: networkKey(subject) };
}

/**
 * Returns true if an IP address may be used for keys. In the sandbox, this machine's own address may not, since all customers
 * share it.
 */
const counts = (ip: string | undefined): boolean => ip === undefined || configured().isLoopbackCounted || !isLoopback(ip);
