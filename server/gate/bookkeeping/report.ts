// The month of a store: its entries in pages, and for each unit what it began with, what moved, and what it ended with.

import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { openStore } from '../stores/store-rows.ts';
import { entryWire, signedText } from './entry-wire.ts';
import { type UnitSpans, monthOf, sizeOf, unitsOf } from './month.ts';
import { type BookedEntry, balancesThen, entriesForward, hasMoves, newestStretch } from './read-moves.ts';

/** Maximum number of movements of a unit in a month of which sums by kind and by day are made. */
const FEW = 5_000;
/** Maximum number of movements that one call reads to find those of a kind. */
const MAX_READ = 2_000;

type Filter = Input<Routes['storeEntries']>;
type Report = Output<Routes['storeReport']>;

/**
 * Returns a page of a store's entries in a month, the newest first. A page counts movements; a sale has a row for each of its
 * parts. With kinds, at most 2 000 movements are read, so a page may have fewer rows while `next` is there.
 */
export async function entryPage(db: Statements, filter: Filter): Promise<Output<Routes['storeEntries']>> {
  const store = await openStore(db, filter.store);
  const month = await monthOf(db, store, filter.month);
  const all = await unitsOf(db, store.id, month);
  let left: readonly UnitSpans[] = continued(
    filter.currency === undefined ? all : all.filter(({ unit }) => unit === filter.currency),
    filter.after,
  );
  const kinds = filter.kind?.length ? new Set(filter.kind) : undefined;
  const found: BookedEntry[] = [];
  let [shown, read] = [0, 0];
  while (shown < filter.per_page && read < MAX_READ && hasMoves(left)) {
    // Without kinds every movement is shown.
    const count = filter.per_page - shown;
    const stretch = await newestStretch(db, left, count);
    const fitting = stretch.entries.filter(({ kind }) => kinds?.has(kind) ?? true);
    found.push(...fitting);
    shown += new Set(fitting.map(({ id }) => id.slice(0, id.lastIndexOf('.')))).size;
    read += count;
    ({ left } = stretch);
  }
  return {
    ...{ month: month.month, timezone: store.timezone, entries: found.map(entryWire) },
    ...(hasMoves(left) && { next: cursorOf(left) }),
  };
}

const cursorOf = (units: readonly UnitSpans[]): string =>
  units
    .filter(({ balance, reserve }) => sizeOf(balance) + sizeOf(reserve) > 0n)
    .map(({ unit, balance, reserve }) => `${unit}.${balance.upTo}.${reserve.upTo}`)
    .join('~');

/** Returns the movements that a cursor left. Units that it doesn't name have none left. Throws `validation` for another one. */
function continued(units: readonly UnitSpans[], cursor: string | undefined): readonly UnitSpans[] {
  if (cursor === undefined) return units;
  const places = new Map(cursor.split('~').map((place) => [place.split('.')[0] ?? '', place.split('.').slice(1).map(BigInt)]));
  return units.flatMap((one) => {
    const [balance, reserve] = places.get(one.unit) ?? [];
    if (balance === undefined || reserve === undefined) return [];
    if (balance > one.balance.upTo || reserve > one.reserve.upTo) throw fieldProblem('after', 'wrong_value');
    return [{ ...one, balance: { ...one.balance, upTo: balance }, reserve: { ...one.reserve, upTo: reserve } }];
  });
}

/** Returns the figures of a store's month, by unit. */
export async function monthReport(db: Statements, { store: id, month: wanted }: Input<Routes['storeReport']>): Promise<Report> {
  const store = await openStore(db, id);
  const month = await monthOf(db, store, wanted);
  const units = await unitsOf(db, id, month);
  const [opening, closing] = [
    await balancesThen(db, units, ({ after }) => after),
    await balancesThen(db, units, ({ upTo }) => upTo),
  ];
  const figures: Report['units'][number][] = [];
  for (const [at, unit] of units.entries()) {
    const [from, to] = [opening[at], closing[at]];
    if (!from || !to) continue;
    const text = (parts: bigint): string => signedText(unit.unit, parts);
    const size = sizeOf(unit.balance) + sizeOf(unit.reserve);
    figures.push({
      currency: unit.unit,
      balance: { opening: text(from.balance), net: text(to.balance - from.balance), closing: text(to.balance) },
      reserve: { opening: text(from.reserve), net: text(to.reserve - from.reserve), closing: text(to.reserve) },
      movements: Number.parseInt(size.toString(), 10),
      ...(size <= BigInt(FEW) ? await sumsOf(db, unit, store.timezone) : { kinds: null, days: null }),
    });
  }
  return {
    ...{ month: month.month, timezone: store.timezone, now: (await monthOf(db, store, undefined)).month },
    ...{ since: await firstMonth(db, store.timezone, store.createdAt), units: figures },
  };
}

/** Returns the month in which a store was made, in its time zone. */
async function firstMonth(db: Statements, timezone: string, at: Date): Promise<string> {
  const row = await db.row<{ month: string }>(`select to_char($1::timestamptz at time zone $2, 'YYYY-MM') as month`, [
    at,
    timezone,
  ]);
  return row?.month ?? '';
}

/** Kinds of entries that together are what sales brought. */
const OF_SALES: ReadonlySet<string> = new Set(['sale', 'spread', 'cost', 'fee', 'reserve_in']);

/** Returns the sums of a unit's entries by account and kind, and what sales brought on each day with any. */
async function sumsOf(
  db: Statements,
  unit: UnitSpans,
  timezone: string,
): Promise<Pick<Report['units'][number], 'kinds' | 'days'>> {
  const kinds = new Map<string, Pick<BookedEntry, 'account' | 'kind' | 'gross' | 'net'>>();
  const days = new Map<string, bigint>();
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
  for await (const group of entriesForward(db, unit))
    for (const { account, kind, gross, net, at } of group) {
      const key = `${account} ${kind}`;
      const sum = kinds.get(key) ?? { account, kind, gross: 0n, net: 0n };
      kinds.set(key, { account, kind, gross: sum.gross + gross, net: sum.net + net });
      if (!OF_SALES.has(kind)) continue;
      const day = dayOf.format(at);
      days.set(day, (days.get(day) ?? 0n) + net);
    }
  const text = (parts: bigint): string => signedText(unit.unit, parts);
  return {
    kinds: [...kinds.values()].map((sum) => ({ ...sum, gross: text(sum.gross), net: text(sum.net) })),
    days: [...days].map(([day, parts]) => ({ day, received: text(parts) })),
  };
}
