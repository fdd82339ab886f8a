import { isDeepStrictEqual } from 'node:util';
import { type Fault, type BooksCheck, type RowBalance, accounts, accuse } from '../../ledger/index.ts';
import { type Statements, outbox } from '../../platform/index.ts';
import { isAsRequested } from '../../rails/index.ts';
import type { Fields } from '../../rails/rail.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, type PayinBody, type PayoutBody } from '../rails/event-bodies.ts';
import { alteredBalances } from '../balances/balance-macs.ts';
import { strangePayins } from '../payins/strange-payins.ts';
import { type StoredBooks, booksOf, isAsNamed } from '../payouts/rows/payout-accounts.ts';
import { owedForFinds } from '../payouts/found-late.ts';
import { rowFaults } from './check-rows.ts';
import type { Owner } from '../rails/owner.ts';

/** A payout that is being sent according to its owner's row. The owner may not have been notified of the latest events. */
export interface Sending {
  /** Id of the intent, which is also the payout's id. */
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** Receiving account; absent if the owner's row doesn't name it. */
  readonly to?: Fields | undefined;
  /** Words that name the owner's row, for the text of a fault. */
  readonly of: string;
}

interface SendingRow {
  readonly id: string;
  readonly owner_id: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: string;
  readonly to_fields: Fields;
  readonly status: string;
  readonly is_open: boolean;
  readonly is_reported: boolean;
}

// An owner is notified of a payout's outcome by an event, a moment after the payout's row has changed. Until then the owner's row
// still says that the payout is being sent.
const ROWS = `
  select id, owner_id, currency, unit, parts, to_fields, status,
         status in ('queued', 'preparing', 'sending', 'in_doubt') as is_open, id <> all ($3) as is_reported
  from payout
  where owner_kind = $1 and (status in ('queued', 'preparing', 'sending', 'in_doubt') or id = any ($2))`;

/**
 * Returns a fault for each difference between the payouts of one kind of owner and the owners' rows. Such a difference is a
 * payout without an owner's row or the reverse, another owner, amount or account, or a payout that has ended.
 */
export async function sendingFaults(db: Statements, kind: Owner['kind'], sendings: readonly Sending[]): Promise<Fault[]> {
  const undelivered = (await outbox.undeliveredBodies(db, PAYOUT_EVENT)).map((body) => (body as PayoutBody).intentId);
  const rows = await db.rows<SendingRow>(ROWS, [kind, sendings.map(({ id }) => id), undelivered]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wanted = new Set(sendings.map(({ id }) => id));
  const faults: Fault[] = [];
  const fault = (id: string, words: string): void => void faults.push({ check: 'payout', account: `payout:${id}`, words });
  for (const one of sendings) {
    const row = byId.get(one.id);
    if (!row) fault(one.id, `${one.of} is being sent, and there is no payout for it`);
    else for (const words of differences(one, row)) fault(one.id, words);
  }
  for (const { id, is_open: isOpen, is_reported: isReported, status } of rows) {
    if (isOpen && isReported && !wanted.has(id))
      fault(id, `the payout is ${status}, and no owner’s row says that it is to be sent`);
  }
  return faults;
}

function differences(one: Sending, row: SendingRow): string[] {
  const words: string[] = [];
  if (row.owner_id !== one.owner.id) words.push(`${one.of} is being sent, and the payout is another’s: ${row.owner_id}`);
  if (row.currency !== one.currency || row.unit !== one.unit || BigInt(row.parts) !== one.parts)
    words.push(`${one.of} sends ${one.parts} ${one.currency}, and the payout is of ${row.parts} ${row.currency}`);
  if (one.to && !isDeepStrictEqual(row.to_fields, one.to)) words.push(`${one.of} and the payout do not go to the same account`);
  if (!row.is_open && row.is_reported) words.push(`${one.of} is being sent, and the payout is ${row.status}`);
  return words;
}

/** Returns a fault for each open payout that SQL altered, or whose stored accounts aren't those that its owner named. */
async function alteredPayouts(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<
    Pick<SendingRow, 'id' | 'owner_id' | 'currency' | 'parts' | 'to_fields'> & {
      owner_kind: Owner['kind'];
      mac: string | null;
      books: StoredBooks | null;
      books_mac: string | null;
    }
  >(
    `select id, owner_kind, owner_id, currency, parts, to_fields, mac, books, books_mac from payout
     where status in ('queued', 'preparing', 'sending', 'in_doubt')`,
  );
  const altered = rows.filter(
    ({ id, owner_kind: kind, owner_id: owner, to_fields: to, parts, currency, mac, books, books_mac: booksMac }) =>
      !isAsRequested({ id, owner: { kind, id: owner }, currency, parts: BigInt(parts), to, mac }) ||
      !books ||
      !isAsNamed(id, booksOf(books), booksMac),
  );
  return altered.map(({ id }) => ({ check: 'payout', account: `payout:${id}`, words: 'the payout is not what was asked for' }));
}

/**
 * Returns a fault for each undelivered event that we didn't write, or that is postponed for longer than our code ever does.
 * Without this check, such an event would excuse an owner's row that was altered.
 */
async function strangeEvents(db: Statements): Promise<Fault[]> {
  const events = (await outbox.undeliveredBodies(db, PAYIN_EVENT)) as PayinBody[];
  return [
    ...accuse(
      'event',
      [
        ...(await strangePayins(
          db,
          events.map((body) => ({ body, reportedTo: body.owner.id })),
        )),
      ].map((id) => `payin:${id}`),
      'the payment that is told of is not recorded so',
    ),
    ...accuse(
      'event',
      (await outbox.putOffTooFar(db)).map((id) => `event:${id}`),
      'the event waits for longer than any pause',
    ),
  ];
}

/** Returns the capital that the books should have in the desk's open payouts. Capital stays there until it is sent. */
async function capitalOnItsWay(db: Statements): Promise<RowBalance[]> {
  const rows = await db.rows<{ id: string; unit: string; parts: string }>(
    `select id, unit, parts from payout where owner_kind = 'desk' and status in ('queued', 'preparing', 'sending', 'in_doubt')`,
  );
  return rows.map(({ id, unit, parts }) => ({
    account: accounts.payout(id, unit),
    parts: BigInt(parts),
    of: `the desk’s payout ${id}`,
  }));
}

/** Checks payments against the books: the desk's own payouts, and the rows that cause the journals of the payments room. */
export const paymentsCheck: BooksCheck = {
  accountTypes: ['payout', 'receivable'],
  causes: [
    {
      kinds: [
        ...(['capital_in', 'capital_out', 'rebalance', 'fuel', 'close'] as const),
        ...(['difference', 'difference_cleared', 'stuck', 'unstuck'] as const),
      ],
      rows: 'select id from desk_posting',
    },
    { kinds: ['sweep', 'fuel', 'network_fee', 'rail_fee'], rows: 'select id from payment_attempt' },
    { kinds: ['rail_fee'], rows: 'select id from payin' },
    { kinds: ['found_late', 'found_late_settled', 'write_off'], rows: 'select payout_id from payment_found_late' },
  ],
  balances: async (db) => [...(await capitalOnItsWay(db)), ...(await owedForFinds(db))],
  faults: async (db, scope) => [
    ...(await alteredPayouts(db)),
    ...(await rowFaults(db, scope)),
    ...(await strangeEvents(db)),
    ...accuse('balance', await alteredBalances(db), 'the stored reading of the balance was altered'),
  ],
};
