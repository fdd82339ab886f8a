import { canonicalEmail, isLoopback, networkBlock } from '../../platform/index.ts';
import { configured } from '../configure.ts';

/** An account holder who is signed in, with the address whose mailbox they have shown to read. */
export interface ShownHolder {
  readonly id: string;
  readonly mailbox?: string | undefined;
}

/** Who asks, as far as it is known. */
export interface Subject {
  /** As typed: nobody has shown to read it, unless it is the holder's mailbox. */
  readonly email: string;
  /** Accounts that were typed, each as `<currency>:<key of its checked account>`. */
  readonly accounts: readonly string[];
  /** What tells one device behind an address from another. */
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
  /** Who is signed in. */
  readonly holder?: ShownHolder | undefined;
  /** Whose program asks for its customer: all that it asks for counts as one network. */
  readonly partner?: Partner | undefined;
}

/** An account holder whose programs place orders, and how many of these may be open. */
export interface Partner {
  readonly id: string;
  readonly mostOpen: number;
}

/**
 * The keys under which a subject's orders count, and what counts against them: what they have shown (the account that they are
 * signed in to, its mailbox) and the device that they use. What is only typed says nothing of who typed it, so it counts
 * against nobody but that device; where the device can't be told apart from others (in the sandbox, this machine's own)
 * what is typed tells its users apart. Never the network, which is only a signal.
 */
export function customerKeys(subject: Subject): string[] {
  const { device, holder, ip } = subject;
  const isApart = device !== undefined && device !== '' && counts(ip);
  if (isApart || holder) return shownKeys(subject);
  return typedKeys(subject).map((key) => `typed:${device ?? ''}:${key}`);
}

/**
 * What is shown to be a subject's: the account that they are signed in to, its mailbox, the device where it can be told
 * apart.
 */
export function shownKeys({ device, holder, ip }: Subject): string[] {
  const keys: string[] = holder ? [`holder:${holder.id}`] : [];
  if (holder?.mailbox !== undefined) keys.push(`email:${canonicalEmail(holder.mailbox)}`);
  if (device && counts(ip)) keys.push(`device:${device}`);
  return keys.sort();
}

/** What a subject has only typed: their e-mail unless it is the mailbox that they have shown, and accounts. */
export function typedKeys(subject: Subject): string[] {
  const email = isShown(subject) || subject.email === '' ? [] : [`email:${canonicalEmail(subject.email)}`];
  return [...new Set([...email, ...subject.accounts.map((account) => `account:${account}`)])].sort();
}

/** Everything that a subject is known by, shown or typed: anyone who shares a key is the same customer. */
export const knownBy = (subject: Subject): string[] => [...new Set([...shownKeys(subject), ...typedKeys(subject)])];

/** Whether the e-mail that was typed is the mailbox that the holder who asks has shown to read. */
export function isShown({ email, holder }: Pick<Subject, 'email' | 'holder'>): boolean {
  return holder?.mailbox !== undefined && canonicalEmail(holder.mailbox) === canonicalEmail(email);
}

/**
 * The key of an e-mail that somebody typed without being known by a mailbox of their own. Payments that can be taken back count
 * under it against all who type the same address, since nothing else tells these people apart.
 */
export function claimedKey({ email, holder }: Pick<Subject, 'email' | 'holder'>): string | undefined {
  return holder?.mailbox === undefined ? `claimed:${canonicalEmail(email)}` : undefined;
}

/**
 * The name under which the depth of a customer's payments is counted: what is shown where something is, else what is typed
 * at a device.
 */
export function customerOf({ email, device, holder }: Omit<Subject, 'accounts'>): string {
  return holder ? `holder:${holder.id}` : `${canonicalEmail(email)}${device === undefined ? '' : ` at ${device}`}`;
}

/** Returns the keys that block these accounts. Each account is `<currency>:<key of the checked account>`. */
export const addressKeys = (accounts: readonly string[]): string[] => accounts.map((account) => `address:${account}`);

/** Returns the keys that people of the desk alone block by: the typed addresses and the network. They prove nobody's identity. */
export function blockableKeys(subject: Subject): string[] {
  const network = networkKey(subject);
  return [...addressKeys(subject.accounts), ...(network === undefined ? [] : [network])];
}

/** The key of all that a partner's programs ask for. */
export const partnerKey = ({ id }: Pick<Partner, 'id'>): string => `net:partner/${id}`;

/** The key of a subject's network, or undefined where it doesn't count. */
export function networkKey(subject: Subject): string | undefined {
  if (subject.partner) return partnerKey(subject.partner);
  const block = subject.ip === undefined || !counts(subject.ip) ? undefined : networkBlock(subject.ip);
  return block === undefined ? undefined : `net:${block}`;
}

/** Where somebody asks from, as keys: their device and their network; absent where they don't count. */
export function whence(asked: { readonly device: string; readonly ip: string }): {
  readonly device: string | undefined;
  readonly network: string | undefined;
} {
  const subject = { ...asked, email: '', accounts: [] };
  return { device: shownKeys(subject)[0], network: networkKey(subject) };
}

/** Whether what is derived from an address counts: in the sandbox not that of this machine, where all customers are one. */
const counts = (ip: string | undefined): boolean => ip === undefined || configured().countLoopback || !isLoopback(ip);
