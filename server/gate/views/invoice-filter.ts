// Filters of a store's invoices, as a condition of SQL with only the filters that are set, so that PostgreSQL picks an index.

import { scaleOf } from '@kurs/money';
import type { Statements, Values } from '../../platform/index.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';

export interface InvoiceFilter {
  readonly store: string;
  readonly state?: readonly InvoiceState[] | undefined;
  /** Days in the store's time zone, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Bounds of the amount, in the invoice's own currency. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly q?: string | undefined;
  /** Set for the invoices that their store marked. */
  readonly marked?: 'yes' | undefined;
  /** Set for the invoices of the archive, in place of all others. A search finds both. */
  readonly archived?: 'yes' | undefined;
}

/** Condition of SQL on `invoice`, and its values. */
export interface InvoiceSelection {
  readonly where: string;
  readonly values: Values;
}

/** Maximum number of invoices that a search finds. */
const MAX_FOUND = 2_000;
const LARGEST = 10n ** 38n - 1n;

/** Returns the ids of invoices with a number, an order id, an e-mail address or a transaction. Each is looked up by an index. */
async function idsBySearch(db: Statements, store: string, q: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `(select id from invoice where number = upper($2) and store_id = $1)
     union (select id from invoice where store_id = $1 and order_id = $2 order by created_at desc limit $3)
     union (select id from invoice where store_id = $1 and lower(email) = lower($2) order by created_at desc limit $3)
     union (select invoice_id from invoice_payment where store_id = $1 and txid = $2 limit $3)`,
    [store, q, MAX_FOUND],
  );
  return rows.map(({ id }) => id);
}

/** Bounds of amounts in one currency, in parts. */
interface Bounds {
  readonly currency: string;
  readonly low: string;
  readonly high: string;
}

/** Returns a decimal in parts of an asset, rounded up or down, at most the largest amount. */
function partsOf(asset: string, text: string, isUp: boolean): string {
  const [whole = '', behind = ''] = text.split('.');
  const [above, below] = [BigInt(whole + behind) * 10n ** BigInt(scaleOf(asset)), 10n ** BigInt(behind.length)];
  const parts = (isUp ? above + below - 1n : above) / below;
  return `${parts > LARGEST ? LARGEST : parts}`;
}

/** Returns the bounds of amounts in each currency of a store's invoices. The index is skipped through, a step for each currency. */
async function boundsOf(db: Statements, { store, min = '0', max }: InvoiceFilter): Promise<Bounds[]> {
  const rows = await db.rows<{ currency: string }>(
    `with recursive used (currency) as (
       (select currency from invoice where store_id = $1 and amount is not null order by currency limit 1)
       union all
       select (select invoice.currency from invoice
               where store_id = $1 and invoice.currency > used.currency and amount is not null order by invoice.currency limit 1)
       from used where used.currency is not null)
     select currency from used where currency is not null`,
    [store],
  );
  return rows.map(({ currency }) => ({
    currency,
    low: partsOf(currency, min, true),
    high: max === undefined ? `${LARGEST}` : partsOf(currency, max, false),
  }));
}

/** Returns the condition of a filter. `timezone`: that of the store. */
export async function selectionOf(db: Statements, filter: InvoiceFilter, timezone: string): Promise<InvoiceSelection> {
  const { store, state, from, to, min, max } = filter;
  const q = filter.q?.trim() ?? '';
  const values: unknown[] = [store];
  const conditions = ['store_id = $1'];
  const add = (condition: (...places: readonly string[]) => string, ...given: readonly unknown[]): void => {
    conditions.push(condition(...given.map((_, at) => `$${values.length + at + 1}`)));
    values.push(...given);
  };
  if (q === '') conditions.push(`archived_at is ${filter.archived ? 'not null' : 'null'}`);
  if (filter.marked) conditions.push('mark is not null');
  if (state?.length) add((states) => `state = any (${states}::text[])`, state);
  if (from !== undefined) add((day, zone) => `created_at >= (${day}::date)::timestamp at time zone ${zone}`, from, timezone);
  if (to !== undefined) add((day, zone) => `created_at < (${day}::date + 1)::timestamp at time zone ${zone}`, to, timezone);
  if (q !== '') add((ids) => `id = any (${ids}::uuid[])`, await idsBySearch(db, store, q));
  if (min === undefined && max === undefined) return { where: conditions.join(' and '), values };
  const bounds = await boundsOf(db, filter);
  const within = (places: readonly string[], at: number): string =>
    `(currency = ${places[at]} and amount between ${places[at + 1]} and ${places[at + 2]})`;
  add(
    (...places) => (bounds.length === 0 ? 'false' : `(${bounds.map((_, at) => within(places, at * 3)).join(' or ')})`),
    ...bounds.flatMap(({ currency, low, high }) => [currency, low, high]),
  );
  return { where: conditions.join(' and '), values };
}
