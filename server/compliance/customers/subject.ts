import { canonicalEmail, isLoopback, networkBlock } from '../../platform/index.ts';
import { configured } from '../configure.ts';

/** An account holder who is signed in, with their verified mailbox. */
export interface ShownHolder {
  readonly id: string;
  readonly mailbox?: string | undefined;
}

/** The customer who makes a request, as far as known. */
export interface Subject {
  /** As typed; unverified unless it is the holder's mailbox. */
  readonly email: string;
  /** Accounts that were typed, each as `<currency>:<key of its checked account>`. */
  readonly accounts: readonly string[];
  /** Id that distinguishes devices behind one address. */
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
  /** The signed-in account holder. */
  readonly holder?: ShownHolder | undefined;
  /** Partner whose program acts for a customer. All its requests count as one network. */
  readonly partner?: Partner | undefined;
}

/** An account holder whose programs place orders, and the maximum number of their open unpaid orders. */
export interface Partner {
  readonly id: string;
  readonly maxOpen: number;
}

/**
 * Returns the keys under which a subject's orders count towards limits: proven ones (the signed-in account and its mailbox) and
 * the device. Typed data proves nothing about who typed it. It counts only if devices can't be told apart (in the sandbox, on
 * this machine), and then together with the device. The network never counts: it is only a signal.
 */
export function customerKeys(subject: Subject): string[] {
  const { device, holder, ip } = subject;
  const isApart = device !== undefined && device !== '' && counts(ip);
  if (isApart || holder) return shownKeys(subject);
  return typedKeys(subject).map((key) => `typed:${device ?? ''}:${key}`);
}

/** Returns a subject's proven keys: the signed-in account, its mailbox, and the device if it can be told apart. */
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

/** Returns all keys of a subject, proven or typed. Subjects that share a key are treated as the same customer. */
export const knownBy = (subject: Subject): string[] => [...new Set([...shownKeys(subject), ...typedKeys(subject)])];

/** Returns true if the typed e-mail is the holder's verified mailbox. */
export function isShown({ email, holder }: Pick<Subject, 'email' | 'holder'>): boolean {
  return holder?.mailbox !== undefined && canonicalEmail(holder.mailbox) === canonicalEmail(email);
}

/**
 * Returns the key of a typed e-mail of a customer without a verified mailbox. Reversible payments count under it for everybody
 * who types the same address, since nothing else distinguishes these people.
 */
export function claimedKey({ email, holder }: Pick<Subject, 'email' | 'holder'>): string | undefined {
  return holder?.mailbox === undefined ? `claimed:${canonicalEmail(email)}` : undefined;
}

/**
 * Returns the name under which the depth of a customer's payments is counted: the holder, or the typed e-mail and the device.
 */
export function customerOf({ email, device, holder }: Omit<Subject, 'accounts'>): string {
  return holder ? `holder:${holder.id}` : `${canonicalEmail(email)}${device === undefined ? '' : ` at ${device}`}`;
}

/** Returns the keys that block these accounts. Each account is `<currency>:<key of the checked account>`. */
export const addressKeys = (accounts: readonly string[]): string[] => accounts.map((account) => `address:${account}`);

/** Returns the keys used only by blocks of the desk: the typed addresses and the network. They prove nobody's identity. */
export function blockableKeys(subject: Subject): string[] {
  const network = networkKey(subject);
  return [...addressKeys(subject.accounts), ...(network === undefined ? [] : [network])];
}

/** Returns the key of all requests by a partner's programs. */
export const partnerKey = ({ id }: Pick<Partner, 'id'>): string => `net:partner/${id}`;

/** Returns the key of a subject's network; undefined if it doesn't count. */
export function networkKey(subject: Subject): string | undefined {
  if (subject.partner) return partnerKey(subject.partner);
  const block = subject.ip === undefined || !counts(subject.ip) ? undefined : networkBlock(subject.ip);
  return block === undefined ? undefined : `net:${block}`;
}

/** Returns the keys of a request's device and network; each is undefined if it doesn't count. */
export function whence(request: { readonly device: string; readonly ip: string }): {
  readonly device: string | undefined;
  readonly network: string | undefined;
} {
  const subject = { ...request, email: '', accounts: [] };
  return { device: shownKeys(subject)[0], network: networkKey(subject) };
}

/**
 * Returns true if keys derived from an address count. In the sandbox, this machine's own address doesn't, since all customers
 * share it.
 */
const counts = (ip: string | undefined): boolean => ip === undefined || configured().isLoopbackCounted || !isLoopback(ip);
