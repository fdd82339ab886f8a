import { type Locale, withAsciiDomain } from '@kurs/contract';
import type { Freeze } from './freeze.ts';

/** A person with an account. */
export interface Holder {
  readonly id: string;
  /** As typed at sign-up. */
  readonly email: string;
  readonly emailVerifiedAt: Date | undefined;
  readonly name: string;
  readonly locale: Locale;
  /** An IANA name. */
  readonly timezone: string;
  /** Whether they want a letter about each step of an order. */
  readonly progressLetters: boolean;
  /** Where their picture is read; undefined without one. */
  readonly avatarKey: string | undefined;
  /** The code that others may be referred by; it never changes. */
  readonly referralCode: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** The last one; it may be over. */
  readonly freeze: Freeze | undefined;
  /** When it is closed, where its holder asked for that. */
  readonly closingAt: Date | undefined;
  readonly createdAt: Date;
  /** Somebody changed the row past the product: it opens nothing, nothing is mailed for it, and no money leaves it. */
  readonly isAltered?: true;
}

/**
 * Key of an e-mail address: in lower case, with a national domain in punycode. A plus-tag or a dot stays, since most services
 * take it for another mailbox; limits go by `canonicalEmail`, which is coarser.
 */
export function emailKey(email: string): string {
  return withAsciiDomain(email.trim().toLowerCase());
}
