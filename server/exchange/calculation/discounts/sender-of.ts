// Who sent the customer of a calculation: whom they are bound to, else the affiliate whose link they came by.

import { type Subject, knownBy } from '../../../compliance/index.ts';
import type { AccountHolder, Statements } from '../../../platform/index.ts';
import { type Sent, type Ties, type Visit, campaignOf, visitOf, whoSent } from '../../../referrals/index.ts';
import type { Calculation } from '../calculation.ts';
import { hasOrdered, nowOf } from './has-ordered.ts';

/** An account holder as far as it is asked who sent them. */
type Own = Pick<AccountHolder, 'id' | 'email'>;

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
  return sender(db, { visit, email: own?.email, holderId: own?.id, keys: [], ties: read?.ties }, read?.now);
}

/** Who sent a customer who has said who they are: what they are known by is no affiliate's own. */
export function senderOfCustomer(
  db: Statements,
  { visit }: Pick<Calculation, 'visit'>,
  subject: Subject,
): Promise<Sent | undefined> {
  const { holder } = subject;
  // What an account holder types as their contact is not theirs.
  const email = holder ? holder.mailbox : subject.email;
  return sender(db, { visit, email, holderId: holder?.id, keys: knownBy(subject) });
}

async function sender(
  db: Statements,
  asking: Omit<Parameters<typeof whoSent>[1], 'hadOrdered' | 'splitOf'>,
  now?: Date,
): Promise<Sent | undefined> {
  const { email, holderId } = asking;
  const hadOrdered = (before: Date): Promise<boolean> => hasOrdered(db, { email, holderId }, before);
  const splitOf = async (affiliate: string, campaign: string): Promise<number> =>
    (await campaignOf(db, { holderId: affiliate, campaign }))?.split ?? 0;
  return whoSent(db, { ...asking, hadOrdered, splitOf }, now ?? (await nowOf(db)));
}
