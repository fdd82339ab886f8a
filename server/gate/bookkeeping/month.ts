// Months in a store's time zone, and the entries of the store's accounts within them.

import { type AccountRef, type Span, accounts, entryCounts, entryCountsAt } from '../../ledger/index.ts';
import { currencies } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';

/** A month of a store: `2026-11`, its first moment, and the first moment after it. */
export interface Month {
  readonly month: string;
  readonly begin: Date;
  readonly end: Date;
}

/** Returns a month in the store's time zone; the current one if `month` is undefined. */
export async function monthOf(db: Statements, { timezone }: Pick<Store, 'timezone'>, month: string | undefined): Promise<Month> {
  const row = await db.row<Month>(
    `select to_char(first, 'YYYY-MM') as month, first at time zone $2 as begin, (first + interval '1 month') at time zone $2 as end
     from (select coalesce(to_date($1, 'YYYY-MM')::timestamp, date_trunc('month', clock_now() at time zone $2)) as first)`,
    [month ?? null, timezone],
    { name: 'gate.month' },
  );
  if (!row) throw new Error('a month has no bounds');
  return row;
}

/** A unit of a store with the entries of its two accounts within a month. */
export interface UnitSpans {
  readonly unit: string;
  readonly balance: Span;
  readonly reserve: Span;
}

/** Returns the number of entries in a span. */
export const sizeOf = ({ after, upTo }: Span): bigint => (upTo > after ? upTo - after : 0n);

/**
 * Returns the units in which a store has ever had money until the end of a month, with their entries within it. The cost doesn't
 * depend on the number of entries.
 */
export async function unitsOf(db: Statements, store: string, { begin, end }: Month): Promise<UnitSpans[]> {
  const units = [...new Set(currencies().map(({ unit }) => unit))].toSorted();
  const all = units.flatMap((unit): AccountRef[] => [accounts.merchant(store, unit), accounts.merchantReserve(store, unit)]);
  const counts = await entryCounts(db, all);
  const used = all.flatMap((ref, at) => ((counts[at] ?? 0n) > 0n ? [ref] : []));
  // Times of entries are whole milliseconds.
  const [after, upTo] = [
    await entryCountsAt(db, used, new Date(begin.getTime() - 1)),
    await entryCountsAt(db, used, new Date(end.getTime() - 1)),
  ];
  const known = new Map(used.map((ref, at) => [ref.name, { ref, after: after[at] ?? 0n, upTo: upTo[at] ?? 0n }]));
  const spanOf = (ref: AccountRef): Span => known.get(ref.name) ?? { ref, after: 0n, upTo: 0n };
  return units
    .map((unit) => ({
      unit,
      balance: spanOf(accounts.merchant(store, unit)),
      reserve: spanOf(accounts.merchantReserve(store, unit)),
    }))
    .filter(({ balance, reserve }) => balance.upTo > 0n || reserve.upTo > 0n);
}
