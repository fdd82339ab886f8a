// What leaves the desk by itself is counted once: as a row for each payout, in the transaction that queues it. All kinds are
// one sum over the last hour and the last day; each kind compares it with its own bounds.

import { type Statements, type Tx, canonicalEmail, isMac, macOf, steady } from '../platform/index.ts';
import { outKinds } from './kinds.ts';

/** A payout that leaves by itself: whose it is, cents of USD, and parts of the currency that it is sent in. */
export interface Counting {
  readonly payoutId: string;
  readonly kind: string;
  readonly customer: string;
  readonly usd: bigint;
  readonly currency: string;
  readonly parts: bigint;
}

/**
 * What left by itself: cents of USD of a customer's last day and the desk's last hour and day, parts of a currency's last hour.
 */
export interface Out {
  readonly customerDay: bigint;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
  readonly currencyHour: bigint;
}

/** Whose an outgoing sum is. */
export interface OutCustomer {
  /** The account of the signed-in holder. */
  readonly holderId?: string | undefined;
  readonly email: string;
  /** True for a visitor who had shown to read the mailbox of that address. */
  readonly isMailboxShown?: boolean | undefined;
}

/** The customer that an outgoing sum counts for: the holder who is signed in, else the reader of a mailbox, else who types an address. */
export function customerKey({ holderId, email, isMailboxShown = false }: OutCustomer): string {
  if (holderId !== undefined) return `holder:${holderId}`;
  return `${isMailboxShown ? 'mailbox' : 'email'}:${canonicalEmail(email)}`;
}

/**
 * The keys whose sums count against a customer. Who only types an address has the sums of its reader counted, too; the reader has
 * nothing counted for which others typed it.
 */
export const countedAgainst = (customer: string): string[] =>
  customer.startsWith('email:') ? [customer, `mailbox:${customer.slice('email:'.length)}`] : [customer];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Anyone who lets something out by itself goes one after another: of two at once that share the last part of a bound one
 * passes.
 */
export async function lockOut(tx: Tx): Promise<void> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('moneyout.desk'))`);
}

/** The sums as one transaction sees them, kept along with what it counts itself. */
export class OutSums {
  readonly #customers: Map<string, bigint>;
  readonly #currencies: Map<string, bigint>;
  readonly #own: ReadonlyMap<string, Counted>;
  readonly #hourAgo: Date;
  #deskHour: bigint;
  #deskDay: bigint;

  constructor(read: Read) {
    this.#customers = read.customers;
    this.#currencies = read.currencies;
    this.#own = read.own;
    this.#hourAgo = read.hourAgo;
    this.#deskHour = read.deskHour;
    this.#deskDay = read.deskDay;
  }

  of({ customer, currency }: Pick<Counting, 'customer' | 'currency'>): Out {
    return {
      customerDay: countedAgainst(customer).reduce((sum, key) => sum + (this.#customers.get(key) ?? 0n), 0n),
      deskHour: this.#deskHour,
      deskDay: this.#deskDay,
      currencyHour: this.#currencies.get(currency) ?? 0n,
    };
  }

  /** Counts one more, as of now unless it says when. */
  add(one: Addend): void {
    this.#change(one, 1n);
  }

  /** Leaves out what a payout, one of those that were asked for, counts itself; gives that, undefined for nothing. */
  drop(payoutId: string): Counted | undefined {
    const own = this.#own.get(payoutId);
    if (own) this.#change(own, -1n);
    return own;
  }

  #change({ customer, currency, usd, parts, at }: Addend, sign: 1n | -1n): void {
    this.#customers.set(customer, (this.#customers.get(customer) ?? 0n) + sign * usd);
    this.#deskDay += sign * usd;
    if (at && at <= this.#hourAgo) return;
    this.#deskHour += sign * usd;
    this.#currencies.set(currency, (this.#currencies.get(currency) ?? 0n) + sign * parts);
  }
}

type Addend = Pick<Counting, 'customer' | 'currency' | 'usd' | 'parts'> & { readonly at?: Date };
type Counted = Omit<Counting, 'kind'> & { readonly at: Date };
interface Read {
  readonly customers: Map<string, bigint>;
  readonly currencies: Map<string, bigint>;
  readonly own: ReadonlyMap<string, Counted>;
  readonly hourAgo: Date;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
}

/** Reads what left by itself. `payouts`: those whose own rows may be left out (`drop`) as they are asked about again. */
export async function readOut(
  db: Statements,
  now: Date,
  asked: { readonly customers: readonly string[]; readonly currencies: readonly string[]; readonly payouts?: readonly string[] },
): Promise<OutSums> {
  const [hourAgo, dayAgo] = [new Date(now.getTime() - HOUR_MS), new Date(now.getTime() - DAY_MS)];
  const [desk, customers, currencies, own] = await Promise.all([
    db.row<{ hour: string | null; day: string | null }>(
      'select sum(usd) filter (where at > $1) as hour, sum(usd) as day from moneyout_counted where at > $2',
      [hourAgo, dayAgo],
      { name: 'moneyout.desk_out' },
    ),
    db.rows<{ key: string; sum: string }>(
      'select customer as key, sum(usd) as sum from moneyout_counted where customer = any ($1) and at > $2 group by customer',
      [asked.customers.flatMap(countedAgainst), dayAgo],
      { name: 'moneyout.customers_out' },
    ),
    db.rows<{ key: string; sum: string }>(
      'select currency as key, sum(parts) as sum from moneyout_counted where currency = any ($1) and at > $2 group by currency',
      [asked.currencies, hourAgo],
      { name: 'moneyout.currencies_out' },
    ),
    ownRows(db, asked.payouts ?? [], dayAgo),
  ]);
  const sums = (rows: readonly { key: string; sum: string }[]): Map<string, bigint> =>
    new Map(rows.map(({ key, sum }) => [key, BigInt(sum)]));
  const [deskHour, deskDay] = [BigInt(desk?.hour ?? 0), BigInt(desk?.day ?? 0)];
  return new OutSums({ customers: sums(customers), currencies: sums(currencies), own, hourAgo, deskHour, deskDay });
}

async function ownRows(db: Statements, payouts: readonly string[], since: Date): Promise<Map<string, Counted>> {
  if (payouts.length === 0) return new Map();
  const rows = await db.rows<Omit<Counted, 'usd' | 'parts'> & { usd: string; parts: string }>(
    'select payout_id as "payoutId", customer, currency, usd, parts, at from moneyout_counted where payout_id = any ($1) and at > $2',
    [payouts, since],
    { name: 'moneyout.own_out' },
  );
  return new Map(rows.map((row) => [row.payoutId, { ...row, usd: BigInt(row.usd), parts: BigInt(row.parts) }]));
}

/** Counts payouts that leave by themselves, in the transaction that queues them; one that is counted already stays as it is. */
export async function countOut(tx: Tx, out: readonly Counting[]): Promise<void> {
  if (out.length === 0) return;
  for (const { kind } of out) outKinds.require(kind);
  await tx.run(
    `insert into moneyout_counted (payout_id, kind, customer, usd, currency, parts, mac, at)
     select *, $7 from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::numeric[], $8::uuid[])
     on conflict (payout_id) do nothing`,
    [
      out.map(({ payoutId }) => payoutId),
      out.map(({ kind }) => kind),
      out.map(({ customer }) => customer),
      out.map(({ usd }) => usd),
      out.map(({ currency }) => currency),
      out.map(({ parts }) => parts),
      tx.now,
      out.map((one) => macOf('counted', contentOf({ ...one, at: tx.now }))),
    ],
    { name: 'moneyout.count' },
  );
}

const contentOf = ({ payoutId, kind, customer, usd, currency, parts, at }: Counting & { readonly at: Date }): string =>
  steady([payoutId, kind, customer, usd, currency, parts, at]);

/** What counts in a window and is not as it was counted, by payouts' ids. */
export async function alteredCounts(db: Statements): Promise<string[]> {
  const rows = await db.rows<Omit<Counting, 'usd' | 'parts'> & { usd: string; parts: string; at: Date; mac: string | null }>(
    `select payout_id as "payoutId", kind, customer, usd, currency, parts, at, mac from moneyout_counted
     where at > clock_now() - interval '1 day'`,
  );
  return rows
    .filter(
      ({ mac, usd, parts, ...row }) => !isMac('counted', contentOf({ ...row, usd: BigInt(usd), parts: BigInt(parts) }), mac),
    )
    .map(({ payoutId }) => payoutId);
}

/** Those of some payouts that are not counted. */
export async function uncountedAmong(db: Statements, payouts: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from unnest($1::uuid[]) as id where not exists (select from moneyout_counted where payout_id = id)`,
    [payouts],
  );
  return rows.map(({ id }) => id);
}

/** What was stopped, refused or returned no longer counts. */
export async function uncountOut(tx: Tx, payouts: readonly string[]): Promise<void> {
  if (payouts.length === 0) return;
  await tx.run('delete from moneyout_counted where payout_id = any ($1)', [payouts], { name: 'moneyout.uncount' });
}

/** Forgets what is in no window any more. */
export async function forgetOut(db: Statements): Promise<void> {
  await db.run(`delete from moneyout_counted where at < clock_now() - interval '7 days'`);
}
