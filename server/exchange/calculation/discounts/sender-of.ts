// Finds the affiliate of a calculation's customer: the affiliate whom the customer is bound to, else the owner of the link that
// led to the calculation.

import { type Subject, knownBy } from '../../../compliance/index.ts';
import { type AccountHolder, type Statements, canonicalEmail } from '../../../platform/index.ts';
import { type Sent, type Ties, type Visit, campaignOf, visitOf, whoSent } from '../../../referrals/index.ts';
import type { Calculation } from '../calculation.ts';
import { type Orderer, hasOrdered, nowOf, ordererOf } from './has-ordered.ts';

/** The fields of an account holder that finding the affiliate needs. */
type HolderFields = Pick<AccountHolder, 'id' | 'email' | 'isEmailVerified'>;

/**
 * Returns the visit that a calculation already has, else the visit by an affiliate's reference. Undefined if there is no
 * reference, or no affiliate has it.
 */
export async function visitBy(db: Statements, ref: string | undefined, known?: Visit): Promise<Visit | undefined> {
  if (ref === undefined || known) return known;
  return visitOf(db, ref, await nowOf(db));
}

/** Data about an account holder that was already read, and the moment of that reading. */
interface HolderReading {
  readonly ties: Ties | undefined;
  readonly now: Date;
}

/** Returns a caller's affiliate by the visit and the signed-in account. Undefined, without a query, if both are missing. */
export async function senderOfVisit(
  db: Statements,
  visit: Visit | undefined,
  own: HolderFields | undefined,
  read?: HolderReading,
): Promise<Sent | undefined> {
  if (!visit && !own) return undefined;
  const mailbox = own?.isEmailVerified ? canonicalEmail(own.email) : undefined;
  const orderer = { holderId: own?.id, mailbox, typed: undefined };
  return sender(db, orderer, { visit, email: own?.email, holderId: own?.id, keys: [], ties: read?.ties }, read?.now);
}

/**
 * Returns the affiliate of a customer whose address and accounts are known. Identity keys of customer and affiliate are compared,
 * so that nobody is their own affiliate.
 */
export function senderOfCustomer(
  db: Statements,
  { visit, mailbox }: Pick<Calculation, 'visit' | 'mailbox'>,
  subject: Subject,
): Promise<Sent | undefined> {
  const { holder } = subject;
  // An account holder may type another contact address, so only the account's own mailbox identifies the holder.
  const email = holder ? holder.mailbox : subject.email;
  return sender(db, ordererOf(subject, mailbox), { visit, email, holderId: holder?.id, keys: knownBy(subject) });
}

/** True if two results name the same affiliates on both levels, the same kind of shared data, and the same discount for the customer. */
export function sameSender(one: Sent | undefined, other: Sent | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.affiliate === other.affiliate &&
    one.second === other.second &&
    one.shared === other.shared &&
    one.friend.numerator === other.friend.numerator &&
    one.friend.denominator === other.friend.denominator
  );
}

async function sender(
  db: Statements,
  orderer: Orderer,
  asking: Omit<Parameters<typeof whoSent>[1], 'hadOrdered' | 'isKnown' | 'splitOf'>,
  now?: Date,
): Promise<Sent | undefined> {
  const hadOrdered = (before: Date): Promise<boolean> => hasOrdered(db, orderer, before);
  const isKnown = (before: Date): Promise<boolean> => hasOrdered(db, { ...orderer, typed: asking.email }, before);
  const splitOf = async (affiliate: string, campaign: string): Promise<number> =>
    (await campaignOf(db, { holderId: affiliate, campaign }))?.split ?? 0;
  return whoSent(db, { ...asking, hadOrdered, isKnown, splitOf }, now ?? (await nowOf(db)));
}
