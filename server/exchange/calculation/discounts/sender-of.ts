// Finds the affiliate of a calculation's customer: the one that they are bound to, else the one whose link they came by.

import { type Subject, knownBy } from '../../../compliance/index.ts';
import { type AccountHolder, type Statements, canonicalEmail } from '../../../platform/index.ts';
import { type Sent, type Ties, type Visit, campaignOf, visitOf, whoSent } from '../../../referrals/index.ts';
import type { Calculation } from '../calculation.ts';
import { type Orderer, hasOrdered, nowOf, ordererOf } from './has-ordered.ts';

/** The fields of an account holder that this lookup needs. */
type HolderFields = Pick<AccountHolder, 'id' | 'email' | 'isEmailVerified'>;

/**
 * Returns the visit of a known calculation, else the visit by a reference; undefined if there is none or the reference belongs to
 * nobody.
 */
export async function visitBy(db: Statements, ref: string | undefined, known?: Visit): Promise<Visit | undefined> {
  if (ref === undefined || known) return known;
  return visitOf(db, ref, await nowOf(db));
}

/** Data read about an account holder before the lookup. */
interface HolderReading {
  readonly ties: Ties | undefined;
  readonly now: Date;
}

/** Returns a visitor's affiliate by their visit and session. Queries nothing without either. */
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
 * Returns the affiliate of a customer who has identified themselves. The customer's keys are compared with the affiliate's, so
 * that nobody counts as sent by themselves.
 */
export function senderOfCustomer(
  db: Statements,
  { visit, mailbox }: Pick<Calculation, 'visit' | 'mailbox'>,
  subject: Subject,
): Promise<Sent | undefined> {
  const { holder } = subject;
  // A contact address that an account holder types is not necessarily their own.
  const email = holder ? holder.mailbox : subject.email;
  return sender(db, ordererOf(subject, mailbox), { visit, email, holderId: holder?.id, keys: knownBy(subject) });
}

/** True if two results pay the same affiliates at the same levels and give the customer the same discount. */
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
