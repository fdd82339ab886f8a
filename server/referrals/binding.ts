// To whom a customer is bound: the first who sent them, for a time, or for good by the reference of their own sign-up. An account
// is bound by orders of the holder who is signed in, and never by what somebody typed.

import { referralOf, referralsOf } from '../auth/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../platform/index.ts';
import { type BindingRow, isBindingAsMade, macOfBinding } from './macs.ts';
import { bindingMs } from './settings.ts';

/** Who sent a customer. */
export interface Bound {
  readonly affiliate: string;
  /** Of the affiliate's campaigns; empty: none. */
  readonly campaign: string;
  /** What the link says to the affiliate alone. */
  readonly sub: string;
  readonly since: Date;
  /** They had completed an order before. */
  readonly hadOrdered: boolean;
}

/** A customer as it is asked whose they are. */
export interface Customer {
  /** As typed by a visitor. Of an account holder who is signed in it says nothing. */
  readonly email: string | undefined;
  /** The account that is signed in. */
  readonly holderId: string | undefined;
  /** Whether an order that is shown to be theirs was completed before a moment: then they are no new friend. */
  readonly hadOrdered: (before: Date) => Promise<boolean>;
  /** The same with orders for which their address was only typed: then their sign-up binds them for a time. */
  readonly isKnown: (before: Date) => Promise<boolean>;
}

/** Whom an order binds: an account, or an address that a visitor typed. */
export type Bindable = { readonly holderId: string } | { readonly email: string };
const nameOf = (who: Bindable): string => ('holderId' in who ? `holder:${who.holderId}` : canonicalEmail(who.email));

type Row = BindingRow & { readonly mac: string | null };

/** What is kept of whom a customer is bound to. */
export interface Ties {
  /** Their open account. */
  readonly account: Awaited<ReturnType<typeof referralOf>>;
  /** The account's binding, then that of the address which a visitor typed. */
  readonly rows: readonly Row[];
}

async function tiesOf(db: Statements, { email, holderId }: Pick<Customer, 'email' | 'holderId'>): Promise<Ties> {
  const account = await referralOf(db, { email, holderId });
  const names = account ? [nameOf({ holderId: account.id })] : [];
  if (holderId === undefined && email !== undefined) names.push(nameOf({ email }));
  const rows = await rowsOf(db, names);
  return { account, rows: names.flatMap((name) => rows.find(({ customer }) => customer === name) ?? []) };
}

/** The ties of several account holders who are signed in, in their order. */
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
 * Who a customer is bound to at a moment; undefined for nobody. What a visit says comes only after this. `ties`: theirs, where they
 * were read.
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

/** Bindings by what customers are known by. One whose row was changed by SQL binds nobody. */
async function rowsOf(db: Statements, names: readonly string[]): Promise<Row[]> {
  if (names.length === 0) return [];
  const rows = await db.rows<Row>('select * from binding where customer = any ($1)', [names], { name: 'referrals.bindings' });
  return rows.filter(isBindingAsMade);
}

const boundIn = ({ affiliate, campaign, sub, since, had_ordered: hadOrdered }: Row): Bound => ({
  ...{ affiliate, campaign, sub, since, hadOrdered },
});

/** Binds customers to who sent them, where they are nobody's. Of several bindings for one customer the first counts. */
export async function bindAll(tx: Tx, sent: readonly (Bound & { readonly who: Bindable })[]): Promise<void> {
  const bound = new Map<string, Bound & { readonly until: Date }>();
  for (const { who, ...one } of sent) {
    const [name, until] = [nameOf(who), new Date(one.since.getTime() + bindingMs())];
    const before = bound.get(name);
    if (!before || before.until <= tx.now) bound.set(name, { ...one, until });
  }
  if (bound.size === 0) return;
  // In one order, so that processes wait for each other in turn.
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

/** Forgets to whom an address was bound by typing it: its owner has signed in or up, so only the account counts from now on. */
export async function forgetTypedBinding(tx: Tx, email: string): Promise<void> {
  await tx.run('delete from binding where customer = $1', [nameOf({ email })], { name: 'referrals.forget_typed' });
}

/**
 * An account has another address. Its own binding stays with it; what was bound by typing the old or the new address is forgotten,
 * since the owner of both is signed in.
 */
export async function moveBinding(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  for (const email of [from, to]) await forgetTypedBinding(tx, email);
}

/** Forgets whose customer somebody is, as their account is closed; and what the account itself is known by as an affiliate. */
export async function forgetBinding(
  tx: Tx,
  { id, email }: { readonly id: string; readonly email: string | undefined },
): Promise<void> {
  const names = [`holder:${id}`, ...(email === undefined ? [] : [canonicalEmail(email)])];
  await tx.run('delete from binding where customer = any ($1)', [names]);
  await tx.run('delete from affiliate_key where holder_id = $1', [id]);
}

/** Forgets bindings that are over; gives how many. */
export const forgetBindings = (db: Statements): Promise<number> => db.run('delete from binding where until < clock_now()');
