// A store's month as a file: for each unit the opening, its entries, the oldest first, and the closing.

import type { Input, Routes } from '@kurs/contract';
import type { Cell, Statements } from '../../platform/index.ts';
import { openStore } from '../stores/store-rows.ts';
import { amountCell, clockIn } from './cells.ts';
import { entryWire, signedText } from './entry-wire.ts';
import { type UnitSpans, monthOf, unitsOf } from './month.ts';
import { type Balances, type BookedEntry, balancesThen, entriesForward } from './read-moves.ts';

const COLUMNS = [
  ...['time', 'time_utc', 'kind', 'account', 'invoice', 'order', 'invoice_amount', 'invoice_tax', 'invoice_currency'],
  ...['currency', 'gross', 'net', 'rate', 'worth', 'balance', 'reserve', 'entry'],
];

type Filter = Pick<Input<Routes['storeEntryExportTicket']>, 'store' | 'month' | 'currency'>;

/** Yields the rows of the file in groups, after a header row. Times are those of the store's time zone, and of UTC. */
export async function* entryRows(db: Statements, filter: Filter): AsyncGenerator<Cell[][]> {
  yield [COLUMNS];
  const store = await openStore(db, filter.store);
  const month = await monthOf(db, store, filter.month);
  const clock = clockIn(store.timezone);
  const units = (await unitsOf(db, store.id, month)).filter(({ unit }) => unit === (filter.currency ?? unit));
  const [opening, closing] = [
    await balancesThen(db, units, ({ after }) => after),
    await balancesThen(db, units, ({ upTo }) => upTo),
  ];
  for (const [at, unit] of units.entries()) {
    yield [boundRow(unit, 'opening', opening[at], [clock(month.begin), month.begin])];
    for await (const group of entriesForward(db, unit)) yield group.map((entry) => rowOf(entry, clock));
    yield [boundRow(unit, 'closing', closing[at], [clock(month.end), month.end])];
  }
}

/** Returns the row of a unit's balances at a bound of the month. */
function boundRow(
  { unit }: UnitSpans,
  kind: 'opening' | 'closing',
  { balance, reserve }: Balances = { balance: 0n, reserve: 0n },
  [local, utc]: readonly [string, Date],
): Cell[] {
  const sums = [amountCell(signedText(unit, balance)), amountCell(signedText(unit, reserve))];
  return [local, utc.toISOString(), kind, '', '', '', '', '', '', unit, '', '', '', '', ...sums, ''];
}

function rowOf(entry: BookedEntry, clock: (at: Date) => string): Cell[] {
  const wire = entryWire(entry);
  return [
    ...[clock(entry.at), wire.at, wire.kind, wire.account, wire.invoice?.number ?? '', wire.order_id ?? ''],
    ...[amountCell(wire.invoice_amount), amountCell(wire.tax), wire.invoice_currency ?? ''],
    ...[wire.currency, amountCell(wire.gross), amountCell(wire.net), amountCell(wire.rate), amountCell(wire.worth)],
    ...[amountCell(wire.balance), amountCell(wire.reserve), wire.id],
  ];
}
