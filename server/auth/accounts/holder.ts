import { type Locale, withAsciiDomain } from '@kurs/contract';
import type { Freeze } from './freeze.ts';

/** An account and its holder. */
export interface Holder {
  readonly id: string;
  /** E-mail address, as the holder entered it. */
  readonly email: string;
  readonly emailVerifiedAt: Date | undefined;
  readonly name: string;
  readonly locale: Locale;
  /** IANA name of the time zone. */
  readonly timezone: string;
  /** True if the holder wants a letter about each step of an order. */
  readonly hasProgressLetters: boolean;
  /** Key in the URL of the holder's picture; undefined without a picture. */
  readonly avatarKey: string | undefined;
  /** The account's code for referring others, which never changes. */
  readonly referralCode: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** The newest withdrawal freeze, which may have ended. */
  readonly freeze: Freeze | undefined;
  /** Time when the account will be closed; undefined if its holder didn't request closing. */
  readonly closingAt: Date | undefined;
  readonly createdAt: Date;
  /**
   * True if the account's row was changed outside the product. In this case nobody can sign in, nothing is mailed, and no money
   * leaves.
   */
  readonly isAltered?: true;
}

/**
 * Returns the key by which an account is found for an e-mail address: the address in lower case, with an international domain
 * in punycode. Plus-tags and dots stay, since most mail services treat such addresses as different mailboxes. Limits use
 * `canonicalEmail`, which removes tags and, for some services, dots.
 */
export function emailKey(email: string): string {
  return withAsciiDomain(email.trim().toLowerCase());
}
