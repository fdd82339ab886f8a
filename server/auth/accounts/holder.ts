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
  /** The account's own code for referring others; it never changes. */
  readonly referralCode: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** The newest withdrawal freeze, which may have ended. */
  readonly freeze: Freeze | undefined;
  /** Time when the account will be closed; undefined if its holder didn't request that. */
  readonly closingAt: Date | undefined;
  readonly createdAt: Date;
  /**
   * True if the account's row was changed outside the product. Then nobody signs in, nothing is mailed, and no money leaves.
   */
  readonly isAltered?: true;
}

/**
 * Returns the key by which an account is found for an e-mail address: the address in lower case, with a national domain in
 * punycode. Plus-tags and dots stay, since with most mail services they make another mailbox. Limits use `canonicalEmail`, which
 * is coarser.
 */
export function emailKey(email: string): string {
  return withAsciiDomain(email.trim().toLowerCase());
}
