// Who sent a customer, and what that does to a price.

import { type Fraction, fraction } from '@kurs/money';
import { holderById } from '../auth/index.ts';
import { type Statements, canonicalEmail } from '../platform/index.ts';
import { type Affiliate, friendShare, rewardShare } from './affiliate.ts';
import { type Between, findAffiliate, keysBetween } from './affiliate-store.ts';
import { type Bound, type Customer, type Ties, boundTo } from './binding.ts';

/** The visit of somebody who came by a link. */
export interface Visit {
  readonly affiliate: string;
  readonly campaign: string;
  readonly sub: string;
  readonly at: Date;
}

/** Who sent a customer, as it is pinned for their order. */
export interface Sent extends Bound {
  /** Who sent the affiliate. */
  readonly second: string | undefined;
  /** What the customer and the affiliate, or the two affiliates, are both known by: no reward is earned by itself. */
  readonly shared: string | undefined;
  /** What the customer is let off of what the other discounts leave of the fee; zero for nothing. */
  readonly friend: Fraction;
  /** What of the kept is left for rewards. */
  readonly rewards: Fraction;
  /** A program of the affiliate's placed the order, for a customer who came by no link. */
  readonly byPartner?: true;
}

/** Who asks for a price: a customer, known by some keys, and perhaps by a visit. */
export interface Asking extends Customer {
  readonly visit: Visit | undefined;
  readonly keys: readonly string[];
  /** What is kept of whom they are bound to, where it was read. */
  readonly ties?: Ties | undefined;
  /** What of their share an affiliate leaves to the friends of a campaign, in percent. */
  readonly splitOf: (affiliate: string, campaign: string) => Promise<number>;
}

/** Who sent somebody: whom they are bound to, else the affiliate of their visit; undefined for nobody. */
export async function whoSent(db: Statements, asking: Asking, now: Date): Promise<Sent | undefined> {
  const bound = (await boundTo(db, asking, now)) ?? (await boundByVisit(asking));
  const holder = bound && (await holderById(db, bound.affiliate));
  if (!bound || !holder || isClosed(holder.email)) return undefined;
  const affiliate = await findAffiliate(db, bound.affiliate);
  const own = { email: holder.email, holderId: holder.id, hadOrdered: async () => false, isKnown: async () => false };
  const second = (await boundTo(db, own, now))?.affiliate;
  const shared = await sharedBy(db, asking, { ...bound, email: holder.email, second });
  const gets = !bound.hadOrdered && shared === undefined && affiliate.suspendedAt === undefined;
  return {
    ...bound,
    ...{ second, shared, rewards: rewardShare(affiliate) },
    friend: gets ? await friendOf(asking, bound, affiliate) : NOTHING,
  };
}

const NOTHING = fraction(0n, 1n);
/** An account that is closed has an address that is nobody's. */
const isClosed = (email: string): boolean => email.endsWith('@account.invalid');

async function boundByVisit({ visit, hadOrdered }: Asking): Promise<Bound | undefined> {
  if (!visit) return undefined;
  const { affiliate, campaign, sub, at: since } = visit;
  return { affiliate, campaign, sub, since, hadOrdered: await hadOrdered(FOR_EVER) };
}
/** Any order that was ever completed. */
const FOR_EVER = new Date(8_640_000_000_000_000);

async function friendOf({ splitOf }: Asking, { affiliate: id, campaign }: Bound, affiliate: Affiliate): Promise<Fraction> {
  return campaign === '' ? NOTHING : friendShare(affiliate, await splitOf(id, campaign));
}

/** What a customer and who sent them, or the two affiliates, are both known by, as the kind of a key; undefined for nothing. */
async function sharedBy(
  db: Statements,
  { email, holderId, keys }: Pick<Asking, 'email' | 'holderId' | 'keys'>,
  by: { readonly affiliate: string; readonly email: string; readonly second: string | undefined },
): Promise<string | undefined> {
  if (holderId === by.affiliate || keys.includes(`holder:${by.affiliate}`)) return 'holder';
  const own = canonicalEmail(by.email);
  if ((email !== undefined && canonicalEmail(email) === own) || keys.includes(`email:${own}`)) return 'email';
  return (await sharedKeys(db, [{ ...by, keys }]))[0];
}

/**
 * The kinds of keys that both a customer of these keys and the affiliate are known by, or the affiliate and who sent them, as it
 * stands now; in the order of what is asked, and undefined for none.
 */
export async function sharedKeys(db: Statements, asked: readonly Between[]): Promise<(string | undefined)[]> {
  const isOwn = ({ affiliate, keys }: Between): boolean => keys.includes(`holder:${affiliate}`);
  const others = asked.filter((one) => !isOwn(one));
  const keys = await keysBetween(db, others);
  const found = new Map(others.map((one, at) => [one, keys[at]]));
  return asked.map((one) => {
    const key = found.get(one);
    return isOwn(one) ? 'holder' : key?.slice(0, key.indexOf(':'));
  });
}
