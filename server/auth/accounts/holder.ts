import { type Locale, withAsciiDomain } from '@kurs/contract';
import type { Freeze } from './freeze.ts';

/** An account and its holder. */
export interface Holder {
  readonly id: string;
  /** The address as typed at sign-up. */
  readonly email: string;
  readonly emailVerifiedAt: Date | undefined;
  readonly name: string;
  readonly locale: Locale;
  /** IANA name of the time zone. */
  readonly timezone: string;
  /** True if the holder wants a letter about each step of an order. */
  readonly hasProgressLetters: boolean;
  /** Key in the address of the holder's picture; undefined without a picture. */
  readonly avatarKey: string | undefined;
  /** The account's own code for referring others; it never changes. */
  readonly referralCode: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** The newest withdrawal freeze, which may have ended. */
  readonly freeze: Freeze | undefined;
  /** When the account is due to be closed, if its holder asked for that. */
  readonly closingAt: Date | undefined;
  readonly createdAt: Date;
  /** True if the row was changed outside the product: nobody signs in, nothing is mailed, and no money leaves. */
  readonly isAltered?: true;
}

/**
 * Returns the key by which an address is looked up: lower case, with a national domain in punycode. Plus-tags and dots stay,
 * since most services treat them as other mailboxes. Limits use `canonicalEmail`, which is coarser.
 */
export function emailKey(email: string): string {
  return withAsciiDomain(email.trim().toLowerCase());
}
