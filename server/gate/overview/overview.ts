// The overview of a holder of stores: balances, invoices that wait for somebody, and the sales of the last days.

import type { Output, Routes } from '@kurs/contract';
import { format, money, scaleOf } from '@kurs/money';
import { grantsOf } from '../../auth/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { currencies } from '../../payments/index.ts';
import type { Db, Statements } from '../../platform/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { STORE, type Store, isTestStore } from '../stores/store.ts';
import { storesById } from '../stores/store-rows.ts';

type Overview = Output<Routes['storesOverview']>;
type Sales = Overview['sales'];

/** Number of days whose sales are shown. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns the overview of the stores in which an account holder may read invoices. */
export async function storesOverview(db: Db, holderId: string): Promise<Overview> {
  const granted = await grantsOf(db, holderId, STORE);
  const mayRead = granted.filter(({ permissions }) => permissions.includes('invoices.read')).map(({ on }) => on.id);
  const stores = [...(await storesById(db, mayRead)).values()].filter((store) => !isTestStore(store));
  const ids = stores.map(({ id }) => id);
  return {
    balances: await sumsOf(db, stores, accounts.merchant),
    reserves: await sumsOf(db, stores, accounts.merchantReserve),
    waiting: await waitingOf(db, ids),
    sales: await salesOf(db, ids, await db.now()),
  };
}

/** Returns the sums of an account of stores together, in the units that have any. */
async function sumsOf(
  db: Statements,
  stores: readonly Store[],
  accountOf: typeof accounts.merchant,
): Promise<Overview['balances']> {
  const byUnit = new Map(currencies().map(({ unit, payDigits }) => [unit, payDigits]));
  const all = stores.flatMap(({ id }) => [...byUnit.keys()].map((unit) => ({ unit, account: accountOf(id, unit) })));
  const held = await balances(
    db,
    all.map(({ account }) => account),
  );
  const sums = new Map<string, bigint>();
  for (const [at, { unit }] of all.entries()) sums.set(unit, (sums.get(unit) ?? 0n) + (held[at] ?? 0n));
  return [...sums].flatMap(([unit, parts]) =>
    parts > 0n ? [{ amount: format(money(unit, parts), byUnit.get(unit) ?? scaleOf(unit)), currency: unit }] : [],
  );
}

/** Returns the numbers of invoices that are on their way, or for whose rest somebody must decide. */
const waitingOf = (db: Statements, ids: readonly string[]): Promise<Overview['waiting']> =>
  db.rows<Overview['waiting'][number]>(
    `select store_id::text as store, state, count(*)::int as count from invoice
     where store_id = any ($1::uuid[]) and state in ('open', 'confirming', 'short') group by store_id, state order by store_id, state`,
    [ids],
    { name: 'gate.overview_waiting' },
  );

interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly parts: string;
  readonly invoices: number;
}

/** Returns the paid invoices of the last days, by the day on which they were made. Sums have the worth of now. */
async function salesOf(db: Statements, ids: readonly string[], now: Date): Promise<Sales> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const first = new Date(today - (DAYS - 1) * DAY_MS);
  const rows = await db.rows<DayRow>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, currency, sum(credited)::text as parts,
       count(*)::int as invoices
     from invoice where store_id = any ($1::uuid[]) and state = 'settled' and created_at >= $2 group by 1, 2`,
    [ids, first],
    { name: 'gate.overview_sales' },
  );
  const days = Array.from({ length: DAYS }, (_, at) => new Date(first.getTime() + at * DAY_MS).toISOString().slice(0, 10));
  const sums = days.map((day) => {
    const own = rows.filter((row) => row.day === day);
    return {
      day,
      cents: own.reduce((sum, row) => sum + worthOf(row), 0n),
      invoices: own.reduce((sum, row) => sum + row.invoices, 0),
    };
  });
  return {
    sum: usd(sums.reduce((sum, { cents }) => sum + cents, 0n)),
    invoices: sums.reduce((sum, { invoices }) => sum + invoices, 0),
    days: sums.map(({ day, cents, invoices }) => ({ day, sum: usd(cents), invoices })),
  };
}

/** Returns the worth of a sum in parts of USD; 0 while its asset has no price. */
function worthOf({ currency, parts }: DayRow): bigint {
  const snapshot = latest();
  if (!snapshot || snapshot.body.assets[currency] === undefined) return 0n;
  return usdValue(snapshot, money(currency, BigInt(parts)), currency).parts;
}

const usd = (parts: bigint): Sales['sum'] => ({ amount: format(money('USD', parts), 2), currency: 'USD' });
