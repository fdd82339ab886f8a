// Bindings of customers: to the first affiliate who referred them, for some days, or for good by the reference of their own
// sign-up. An account is bound by orders of its signed-in holder, and never by typing its address.

import { referralOf, referralsOf } from '../auth/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../platform/index.ts';
import { type BindingRow, isBindingAsMade, macOfBinding } from './macs.ts';
import { bindingMs } from './settings.ts';

/** The referrer of a customer. */
export interface Bound {
  readonly affiliate: string;
  /** The affiliate's campaign; empty: none. */
  readonly campaign: string;
  /** The link's note for the affiliate alone. */
  readonly sub: string;
  readonly since: Date;
  /** True if the customer had completed an order before. */
  readonly hadOrdered: boolean;
}

/** A customer whose binding is queried. */
export interface Customer {
  /** As typed by a visitor. It is ignored for a signed-in account holder. */
  readonly email: string | undefined;
  /** The signed-in account. */
  readonly holderId: string | undefined;
  /** True if a proven order of theirs was completed before a moment: they are then no new friend. */
  readonly hadOrdered: (before: Date) => Promise<boolean>;
  /** The same including orders for which their address was only typed: their sign-up then binds them for some days. */
  readonly isKnown: (before: Date) => Promise<boolean>;
}

/** The customer that an order binds: an account, or an address that a visitor typed. */
export type Bindable = { readonly holderId: string } | { readonly email: string };
const nameOf = (who: Bindable): string => ('holderId' in who ? `holder:${who.holderId}` : canonicalEmail(who.email));

type Row = BindingRow & { readonly mac: string | null };

/** Stored bindings of a customer. */
export interface Ties {
  /** The referrer's open account. */
  readonly account: Awaited<ReturnType<typeof referralOf>>;
  /** The account's binding, then that of the address that a visitor typed. */
  readonly rows: readonly Row[];
}

async function tiesOf(db: Statements, { email, holderId }: Pick<Customer, 'email' | 'holderId'>): Promise<Ties> {
  const account = await referralOf(db, { email, holderId });
  const names = account ? [nameOf({ holderId: account.id })] : [];
  if (holderId === undefined && email !== undefined) names.push(nameOf({ email }));
  const rows = await rowsOf(db, names);
  return { account, rows: names.flatMap((name) => rows.find(({ customer }) => customer === name) ?? []) };
}

/** Returns the bindings of several signed-in account holders, in their order. */
export async function tiesOfHolders(db: Statements, holders: readonly { readonly id: string }[]): Promise<Ties[]> {
  const [accounts, found] = await Promise.all([
    referralsOf(
      db,
      holders.map(({ id }) => id),
    ),
    rowsOf(
      db,
      holders.map(({ id }) => nameOf({ holderId: id })),
    ),
  ]);
  const rows = new Map(found.map((row) => [row.customer, row]));
  return holders.map(({ id }) => {
    const [account, row] = [accounts.get(id), rows.get(nameOf({ holderId: id }))];
    return { account, rows: account && row ? [row] : [] };
  });
}

/**
 * Returns the referrer to whom a customer is bound at a moment, or undefined. A visit only counts after this. `ties`: the
 * customer's bindings, if they were read.
 */
export async function boundTo(
  db: Statements,
  { ties, ...customer }: Customer & { readonly ties?: Ties | undefined },
  now: Date,
): Promise<Bound | undefined> {
  const { email, holderId, hadOrdered, isKnown } = customer;
  if (email === undefined && holderId === undefined) return undefined;
  const { account, rows } = ties ?? (await tiesOf(db, customer));
  const bound = rows.find(({ until }) => until > now);
  if (account?.referredBy !== undefined) {
    const { referredBy: affiliate, createdAt: since } = account;
    const isOver = since.getTime() + bindingMs() <= now.getTime() && (await isKnown(since));
    if (!isOver) return { affiliate, campaign: account.campaign, sub: '', since, hadOrdered: await hadOrdered(since) };
  }
  return bound && boundIn(bound);
}

/** Returns bindings by customers' identities. If SQL changed a row, it binds nobody. */
async function rowsOf(db: Statements, names: readonly string[]): Promise<Row[]> {
  if (names.length === 0) return [];
  const rows = await db.rows<Row>('select * from binding where customer = any ($1)', [names], { name: 'referrals.bindings' });
  return rows.filter(isBindingAsMade);
}

const boundIn = ({ affiliate, campaign, sub, since, had_ordered: hadOrdered }: Row): Bound => ({
  ...{ affiliate, campaign, sub, since, hadOrdered },
});

/** Binds unbound customers to their referrers. Of several bindings for one customer the first counts. */
export async function bindAll(tx: Tx, sent: readonly (Bound & { readonly who: Bindable })[]): Promise<void> {
  const bound = new Map<string, Bound & { readonly until: Date }>();
  for (const { who, ...one } of sent) {
    const [name, until] = [nameOf(who), new Date(one.since.getTime() + bindingMs())];
    const before = bound.get(name);
    if (!before || before.until <= tx.now) bound.set(name, { ...one, until });
  }
  if (bound.size === 0) return;
  // In a fixed order, so that processes don't deadlock.
  const rows = [...bound].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const of = <T>(pick: (row: Bound & { readonly until: Date }) => T): T[] => rows.map(([, row]) => pick(row));
  await tx.run(
    `insert into binding as b (customer, affiliate, campaign, sub, since, until, had_ordered, mac)
     select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::bool[], $9::uuid[])
     on conflict (customer) do update set affiliate = excluded.affiliate, campaign = excluded.campaign, sub = excluded.sub,
       since = excluded.since, until = excluded.until, had_ordered = excluded.had_ordered, mac = excluded.mac
     where b.until <= $8`,
    [
      rows.map(([name]) => name),
      of(({ affiliate }) => affiliate),
      of(({ campaign }) => campaign),
      of(({ sub }) => sub),
      of(({ since }) => since),
      of(({ until }) => until),
      of(({ hadOrdered }) => hadOrdered),
      tx.now,
      rows.map(([customer, { hadOrdered, ...row }]) => macOfBinding({ ...row, customer, had_ordered: hadOrdered })),
    ],
    { name: 'referrals.bind' },
  );
}

/** Deletes the binding of a typed address: its owner has signed in or up, so only the account counts from now on. */
export async function forgetTypedBinding(tx: Tx, email: string): Promise<void> {
  await tx.run('delete from binding where customer = $1', [nameOf({ email })], { name: 'referrals.forget_typed' });
}

/**
 * Adapts bindings to an account's new address. The account's own binding stays. Bindings made by typing the old or the new
 * address are deleted, since the owner of both is signed in.
 */
export async function moveBinding(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  for (const email of [from, to]) await forgetTypedBinding(tx, email);
}

/** Deletes a customer's referrer when their account is closed, and the account's own identities as an affiliate. */
export async function forgetBinding(
  tx: Tx,
  { id, email }: { readonly id: string; readonly email: string | undefined },
): Promise<void> {
  const names = [`holder:${id}`, ...(email === undefined ? [] : [canonicalEmail(email)])];
  await tx.run('delete from binding where customer = any ($1)', [names]);
  await tx.run('delete from affiliate_key where holder_id = $1', [id]);
}

/** Deletes expired bindings. Returns their number. */
export const forgetBindings = (db: Statements): Promise<number> => db.run('delete from binding where until < clock_now()');
