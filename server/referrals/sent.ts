// Finds the referrer of a customer, and the effect on a price.

import { type Fraction, fraction } from '@kurs/money';
import { holderById } from '../auth/index.ts';
import { type Statements, canonicalEmail } from '../platform/index.ts';
import { type Affiliate, friendShare, rewardShare } from './affiliate.ts';
import { type Between, findAffiliate, keysBetween } from './affiliate-store.ts';
import { type Bound, type Customer, type Ties, boundTo } from './binding.ts';

/** The visit of a customer who came by a link. */
export interface Visit {
  readonly affiliate: string;
  readonly campaign: string;
  readonly sub: string;
  readonly at: Date;
}

/** A customer's referrer, as stored in their order. */
export interface Sent extends Bound {
  /** The affiliate who referred the affiliate. */
  readonly second: string | undefined;
  /** Identities shared by customer and affiliate, or by both affiliates: people then decide the rewards. */
  readonly shared: string | undefined;
  /** The customer's discount on the rest of the fee after other discounts; zero for none. */
  readonly friend: Fraction;
  /** Part of the profit that is left for rewards. */
  readonly rewards: Fraction;
  /** True if a program of the affiliate's placed the order, for a customer who came by no link. */
  readonly isByPartner?: true;
}

/** A customer who gets a price: with some identities, and perhaps a visit. */
export interface Asking extends Customer {
  readonly visit: Visit | undefined;
  readonly keys: readonly string[];
  /** Stored bindings of the customer, if they were read. */
  readonly ties?: Ties | undefined;
  /** Percentage of their share that an affiliate leaves to the friends of a campaign. */
  readonly splitOf: (affiliate: string, campaign: string) => Promise<number>;
}

/** Returns a customer's referrer: by their binding, otherwise the affiliate of their visit; undefined for none. */
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
/** The address of a closed account belongs to nobody. */
const isClosed = (email: string): boolean => email.endsWith('@account.invalid');

async function boundByVisit({ visit, hadOrdered }: Asking): Promise<Bound | undefined> {
  if (!visit) return undefined;
  const { affiliate, campaign, sub, at: since } = visit;
  return { affiliate, campaign, sub, since, hadOrdered: await hadOrdered(FOR_EVER) };
}
/** True if any order was ever completed. */
const FOR_EVER = new Date(8_640_000_000_000_000);

async function friendOf({ splitOf }: Asking, { affiliate: id, campaign }: Bound, affiliate: Affiliate): Promise<Fraction> {
  return campaign === '' ? NOTHING : friendShare(affiliate, await splitOf(id, campaign));
}

/** Returns the kind of an identity that customer and affiliate, or both affiliates, share; undefined for none. */
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
 * Returns the kinds of identities that customer and affiliate, or both affiliates, share at present, in the order of the input;
 * undefined for none.
 */
export async function sharedKeys(db: Statements, requests: readonly Between[]): Promise<(string | undefined)[]> {
  const isOwn = ({ affiliate, keys }: Between): boolean => keys.includes(`holder:${affiliate}`);
  const others = requests.filter((one) => !isOwn(one));
  const keys = await keysBetween(db, others);
  const found = new Map(others.map((one, at) => [one, keys[at]]));
  return requests.map((one) => {
    const key = found.get(one);
    return isOwn(one) ? 'holder' : key?.slice(0, key.indexOf(':'));
  });
}
