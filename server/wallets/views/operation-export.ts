// Exports all operations in a holder's wallets as a file: a statement of each wallet, oldest first, streamed.

import { type Span, balanceAfter, newestEntries } from '../../ledger/index.ts';
import type { Cell, Statements } from '../../platform/index.ts';
import { type CauseSource, detailsOf } from '../statements/causes.ts';
import { type Operation, type OperationFilter, checksEach, matches } from '../statements/operation.ts';
import { comingOf, operationOf, rangeOf } from '../statements/operations.ts';
import { text } from '../sums.ts';
import { withdrawalSource } from './withdrawal-view.ts';

const COLUMNS = [
  'operation',
  'kind',
  'entry',
  'status',
  'time_utc',
  'wallet',
  'amount',
  'available_after',
  'fee',
  'fee_currency',
  'order',
  'by',
  'address',
  'person',
  'txid',
  'note',
];

/**
 * Number of a wallet's entries in memory at a time. It is small, since objects that stay alive while others are created need
 * several times their size.
 */
const GROUP = 250;

interface Deps {
  readonly db: Statements;
  readonly sources: readonly CauseSource[];
}

/**
 * Yields the rows of the file: a header, each wallet's entries, then incoming payments. If the filter has only wallets and days,
 * the opening balance precedes each wallet's entries, and the closing balance follows them.
 */
export async function* operationRows(given: Deps, holderId: string, filter: OperationFilter): AsyncGenerator<Cell[][]> {
  const deps = { ...given, sources: [withdrawalSource, ...given.sources] };
  yield [COLUMNS];
  const range = await rangeOf(deps.db, holderId, filter);
  const isWhole = !checksEach(filter);
  for (const span of range.spans) {
    if (isWhole) yield [await status(deps.db, span, 'opening_balance', span.after, filter.from)];
    yield* entriesOf(deps, holderId, span, filter);
    if (isWhole) yield [await status(deps.db, span, 'closing_balance', span.upTo, filter.to)];
  }
  const coming = await comingOf(deps.db, range, filter);
  yield coming.filter((one) => matches(one, filter)).map(rowOf);
}

async function* entriesOf(
  { db, sources }: Deps,
  holderId: string,
  { ref, after, upTo }: Span,
  filter: OperationFilter,
): AsyncGenerator<Cell[][]> {
  for (let low = after; low < upTo; low += BigInt(GROUP)) {
    const high = low + BigInt(GROUP) < upTo ? low + BigInt(GROUP) : upTo;
    const entries = (await newestEntries(db, [{ ref, after: low, upTo: high }], GROUP)).toReversed();
    const details = await detailsOf(
      db,
      sources,
      holderId,
      entries.map(({ cause }) => cause),
    );
    const operations = entries.map((entry) => operationOf(entry, details.get(entry.cause)));
    yield operations.filter((one) => matches(one, filter)).map(rowOf);
  }
}

async function status(db: Statements, { ref }: Span, what: string, seq: bigint, day: string | undefined): Promise<Cell[]> {
  const available = text(ref.unit, await balanceAfter(db, ref, seq));
  return ['', what, '', '', day ?? '', ref.unit, '', { amount: available }, '', '', '', '', '', '', '', ''];
}

function rowOf(one: Operation): Cell[] {
  const { fee } = one;
  return [
    one.id,
    one.kind,
    one.entry,
    one.status,
    one.at,
    one.currency,
    { amount: one.amount },
    one.balance === null ? '' : { amount: one.balance },
    fee ? { amount: fee.amount } : '',
    fee?.currency ?? '',
    one.order ?? '',
    one.by ?? '',
    one.address ?? '',
    one.person ?? '',
    one.txid ?? '',
    one.note ?? '',
  ];
}
