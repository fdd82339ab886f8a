// Records payouts that leave without approval: one row each, in the transaction that queues the payout. Payouts of all kinds are
// added up over the last hour and the last day. The code of each kind compares these sums with its own limits.

import { type Statements, type Tx, canonicalEmail, isMac, macOf, steady } from '../platform/index.ts';
import { outKinds } from './kinds.ts';

/** A payout that leaves without approval. `usd`: its value in cents. `parts`: amount of `currency` that is sent. */
export interface Counting {
  readonly payoutId: string;
  readonly kind: string;
  readonly customer: string;
  readonly usd: bigint;
  readonly currency: string;
  readonly parts: bigint;
}

/** Sums of the payouts of all kinds that left without approval. */
export interface Out {
  /** Sum of the customer in the last day, in USD cents. */
  readonly customerDay: bigint;
  /** Sum of all customers in the last hour, in USD cents. */
  readonly deskHour: bigint;
  /** Sum of all customers in the last day, in USD cents. */
  readonly deskDay: bigint;
  /** Sum of the currency in the last hour, in parts. */
  readonly currencyHour: bigint;
}

/** Customer to whom a payout is attributed. */
export interface OutCustomer {
  /** Id of the signed-in account holder; undefined for a visitor. */
  readonly holderId?: string | undefined;
  readonly email: string;
  /** True for a visitor who has confirmed the mailbox at `email`. */
  readonly isMailboxShown?: boolean | undefined;
}

/**
 * Returns the key under which a customer's payouts are added up: that of the account holder, the confirmed mailbox, or the typed
 * address.
 */
export function customerKey({ holderId, email, isMailboxShown = false }: OutCustomer): string {
  if (holderId !== undefined) return `holder:${holderId}`;
  return `${isMailboxShown ? 'mailbox' : 'email'}:${canonicalEmail(email)}`;
}

/**
 * Returns the keys whose sums are used for a customer's limits. For a typed address, the sums of the confirmed mailbox at this
 * address are added. For a confirmed mailbox, sums of visitors who only typed its address are left out.
 */
export const countedAgainst = (customer: string): string[] =>
  customer.startsWith('email:') ? [customer, `mailbox:${customer.slice('email:'.length)}`] : [customer];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Locks the recording of payouts without approval until the transaction ends. If two concurrent payouts both need the rest of a
 * limit, only one leaves without approval.
 */
export async function lockOut(tx: Tx): Promise<void> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('moneyout.desk'))`);
}

/**
 * Sums of the payouts that left without approval, as one transaction reads them. `add` and `drop` keep them up to date within
 * that transaction.
 */
export class OutSums {
  readonly #customers: Map<string, bigint>;
  readonly #currencies: Map<string, bigint>;
  readonly #own: ReadonlyMap<string, Counted>;
  readonly #hourAgo: Date;
  #deskHour: bigint;
  #deskDay: bigint;

  constructor(read: CountedSums) {
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

  /** Adds a payout to the sums. `at`: time when the payout was recorded; now if absent. */
  add(one: Addend): void {
    this.#change(one, 1n);
  }

  /**
   * Subtracts a recorded payout from the sums and returns its record. Does nothing and returns undefined if `readOut` was not
   * called with this payout.
   */
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
interface CountedSums {
  readonly customers: Map<string, bigint>;
  readonly currencies: Map<string, bigint>;
  readonly own: ReadonlyMap<string, Counted>;
  readonly hourAgo: Date;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
}

/**
 * Reads the sums of payouts that left without approval. `payouts`: ids of recorded payouts that are checked again, so that `drop`
 * may subtract them.
 */
export async function readOut(
  db: Statements,
  now: Date,
  request: {
    readonly customers: readonly string[];
    readonly currencies: readonly string[];
    readonly payouts?: readonly string[];
  },
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
      [request.customers.flatMap(countedAgainst), dayAgo],
      { name: 'moneyout.customers_out' },
    ),
    db.rows<{ key: string; sum: string }>(
      'select currency as key, sum(parts) as sum from moneyout_counted where currency = any ($1) and at > $2 group by currency',
      [request.currencies, hourAgo],
      { name: 'moneyout.currencies_out' },
    ),
    ownRows(db, request.payouts ?? [], dayAgo),
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

/**
 * Records payouts that leave without approval, in the transaction that queues them. A payout that is recorded already stays
 * unchanged.
 */
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

/** Returns ids of recorded payouts of the last day whose record SQL altered. */
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

/** Returns ids of those payouts that are not recorded as leaving without approval. */
export async function uncountedAmong(db: Statements, payouts: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from unnest($1::uuid[]) as id where not exists (select from moneyout_counted where payout_id = id)`,
    [payouts],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the records of payouts that were stopped, refused or returned. */
export async function uncountOut(tx: Tx, payouts: readonly string[]): Promise<void> {
  if (payouts.length === 0) return;
  await tx.run('delete from moneyout_counted where payout_id = any ($1)', [payouts], { name: 'moneyout.uncount' });
}

/** Deletes records that are too old for any sum. */
export async function forgetOut(db: Statements): Promise<void> {
  await db.run(`delete from moneyout_counted where at < clock_now() - interval '7 days'`);
}
