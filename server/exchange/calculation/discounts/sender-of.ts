// Who sent the customer of a calculation: whom they are bound to, else the affiliate whose link they came by.

import { type Subject, knownBy } from '../../../compliance/index.ts';
import { type AccountHolder, type Statements, canonicalEmail } from '../../../platform/index.ts';
import { type Sent, type Ties, type Visit, campaignOf, visitOf, whoSent } from '../../../referrals/index.ts';
import type { Calculation } from '../calculation.ts';
import { type Orderer, hasOrdered, nowOf, ordererOf } from './has-ordered.ts';

/** An account holder as far as it is asked who sent them. */
type Own = Pick<AccountHolder, 'id' | 'email' | 'emailVerified'>;

/** The visit that a reference tells of, else the one that is known already; undefined for none, and where nobody has it. */
export async function visitBy(db: Statements, ref: string | undefined, known?: Visit): Promise<Visit | undefined> {
  if (ref === undefined || known) return known;
  return visitOf(db, ref, await nowOf(db));
}

/** What was read of an account holder before it is asked who sent them. */
interface Read {
  readonly ties: Ties | undefined;
  readonly now: Date;
}

/** Who sent a visitor, as far as their visit and their session tell. Without either nothing is asked. */
export async function senderOfVisit(
  db: Statements,
  visit: Visit | undefined,
  own: Own | undefined,
  read?: Read,
): Promise<Sent | undefined> {
  if (!visit && !own) return undefined;
  const mailbox = own?.emailVerified ? canonicalEmail(own.email) : undefined;
  const orderer = { holderId: own?.id, mailbox, typed: undefined };
  return sender(db, orderer, { visit, email: own?.email, holderId: own?.id, keys: [], ties: read?.ties }, read?.now);
}

/** Who sent a customer who has said who they are: what they are known by is no affiliate's own. */
export function senderOfCustomer(
  db: Statements,
  { visit, mailbox }: Pick<Calculation, 'visit' | 'mailbox'>,
  subject: Subject,
): Promise<Sent | undefined> {
  const { holder } = subject;
  // What an account holder types as their contact is not theirs.
  const email = holder ? holder.mailbox : subject.email;
  return sender(db, ordererOf(subject, mailbox), { visit, email, holderId: holder?.id, keys: knownBy(subject) });
}

/** True if two senders are paid for the same customer alike: who, at which levels, and what the customer is let off. */
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
