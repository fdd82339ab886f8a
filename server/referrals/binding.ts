// To whom a customer is bound: the first who sent them, for a time, or for good once they have an account.

import { referralOf, referralsOf } from '../auth/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../platform/index.ts';
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
  /** As typed, where it is known. */
  readonly email: string | undefined;
  /** The account that is signed in. */
  readonly holderId: string | undefined;
  /** Whether an order of theirs was completed before a moment. */
  readonly hadOrdered: (before: Date) => Promise<boolean>;
}

interface Row {
  readonly customer: string;
  readonly affiliate: string;
  readonly campaign: string;
  readonly sub: string;
  readonly since: Date;
  readonly until: Date | null;
  readonly had_ordered: boolean;
}

/** What is kept of whom a customer is bound to. */
export interface Ties {
  /** Their open account. */
  readonly account: Awaited<ReturnType<typeof referralOf>>;
  /** Of their address, then of their account. */
  readonly rows: readonly Row[];
}

async function tiesOf(db: Statements, { email, holderId }: Pick<Customer, 'email' | 'holderId'>): Promise<Ties> {
  const [account, ofAddress] = await Promise.all([
    referralOf(db, { email, holderId }),
    rowsOf(db, email ? [canonicalEmail(email)] : []),
  ]);
  const names = account ? [...(email === undefined ? [canonicalEmail(account.email)] : []), `holder:${account.id}`] : [];
  return { account, rows: [...ofAddress, ...(await rowsOf(db, names))] };
}

/** The ties of several account holders who are signed in, in their order. */
export async function tiesOfHolders(
  db: Statements,
  holders: readonly { readonly id: string; readonly email: string }[],
): Promise<Ties[]> {
  const namesOf = ({ id, email }: (typeof holders)[number]) => [canonicalEmail(email), `holder:${id}`] as const;
  const [accounts, found] = await Promise.all([
    referralsOf(db, holders.map(({ id }) => id)), // prettier-ignore
    rowsOf(db, holders.flatMap(namesOf)), // prettier-ignore
  ]);
  const rows = Map.groupBy(found, ({ customer }) => customer);
  return holders.map((holder) => {
    const account = accounts.get(holder.id);
    const [address, own] = namesOf(holder);
    return { account, rows: [...(rows.get(address) ?? []), ...(account ? (rows.get(own) ?? []) : [])] };
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
  const { email, holderId, hadOrdered } = customer;
  if (email === undefined && holderId === undefined) return undefined;
  const { account, rows } = ties ?? (await tiesOf(db, customer));
  const bound = rows.find(({ until }) => until === null) ?? rows.find((row) => stands(row, now));
  if (bound && (bound.until === null || stoodAt(bound, account?.createdAt))) return boundIn(bound);
  if (account?.referredBy !== undefined) {
    const { referredBy: affiliate, createdAt: since } = account;
    const ordered = await hadOrdered(since);
    const isOver = ordered && since.getTime() + bindingMs() <= now.getTime();
    if (!isOver) return { affiliate, campaign: account.campaign, sub: '', since, hadOrdered: ordered };
  }
  return bound && boundIn(bound);
}

const rowsOf = async (db: Statements, names: readonly string[]): Promise<Row[]> =>
  names.length === 0 ? [] : db.rows('select * from binding where customer = any ($1)', [names], { name: 'referrals.bindings' });

const boundIn = ({ affiliate, campaign, sub, since, had_ordered: hadOrdered }: Row): Bound => ({
  ...{ affiliate, campaign, sub, since, hadOrdered },
});

const stands = ({ until }: Row, at: Date): boolean => until === null || until > at;
/** Whether somebody was bound as they signed up. */
const stoodAt = (row: Row, at: Date | undefined): boolean => at !== undefined && row.since <= at && stands(row, at);

/** Binds customers, by their addresses, to who sent them, where they are nobody's; the first of several for one of them counts. */
export async function bindAll(tx: Tx, sent: readonly (Bound & { readonly email: string })[]): Promise<void> {
  const bound = new Map<string, Bound & { readonly until: Date }>();
  for (const { email, ...one } of sent) {
    const before = bound.get(email);
    if (!before || before.until <= tx.now) bound.set(email, { ...one, until: new Date(one.since.getTime() + bindingMs()) });
  }
  if (bound.size === 0) return;
  // In one order, so that processes wait for each other in turn.
  const rows = [...bound].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const of = <T>(pick: (row: Bound & { readonly until: Date }) => T): T[] => rows.map(([, row]) => pick(row));
  await tx.run(
    `insert into binding as b (customer, affiliate, campaign, sub, since, until, had_ordered)
     select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::bool[])
     on conflict (customer) do update set affiliate = excluded.affiliate, campaign = excluded.campaign, sub = excluded.sub,
       since = excluded.since, until = excluded.until, had_ordered = excluded.had_ordered
     where b.until <= $8`,
    [
      rows.map(([email]) => email),
      of(({ affiliate }) => affiliate),
      of(({ campaign }) => campaign),
      of(({ sub }) => sub),
      of(({ since }) => since),
      of(({ until }) => until),
      of(({ hadOrdered }) => hadOrdered),
      tx.now,
    ],
    { name: 'referrals.bind' },
  );
}

/** Somebody has signed up: who sent them in the days before has done so for good, unless they had ordered before that. */
export async function bindForGood(tx: Tx, email: string): Promise<void> {
  await tx.run('update binding set until = null where customer = $1 and until > $2 and not had_ordered', [
    canonicalEmail(email),
    tx.now,
  ]);
}

/** What an address was bound by counts under another from now on. */
export async function moveBinding(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const [was, is] = [canonicalEmail(from), canonicalEmail(to)];
  if (was === is) return;
  await tx.run('delete from binding where customer = $2 and exists (select from binding where customer = $1)', [was, is]);
  await tx.run('update binding set customer = $2 where customer = $1', [was, is]);
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
