import { isDeepStrictEqual } from 'node:util';
import { type Fault, type Judge, type Standing, accounts, accuse } from '../../ledger/index.ts';
import { type Statements, outbox } from '../../platform/index.ts';
import { isAsAsked } from '../../rails/index.ts';
import type { Fields } from '../../rails/rail.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, type PayinBody, type PayoutBody } from '../rails/event-bodies.ts';
import { alteredBalances } from '../balances/balance-macs.ts';
import { strangePayins } from '../payins/strange-payins.ts';
import { type StoredBooks, booksOf, isAsNamed } from '../payouts/rows/payout-accounts.ts';
import { owedForFinds } from '../payouts/found-late.ts';
import { rowFaults } from './judge-rows.ts';
import type { Owner } from '../rails/owner.ts';

/** What an owner's row says is on its way to be sent, and not sent yet as far as the owner knows. */
export interface Sending {
  /** The intent. */
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** Where to, if the owner's row says so. */
  readonly to?: Fields | undefined;
  /** The row, in words. */
  readonly of: string;
}

interface Row {
  readonly id: string;
  readonly owner_id: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: string;
  readonly to_fields: Fields;
  readonly status: string;
  readonly is_open: boolean;
  readonly is_told: boolean;
}

// What becomes of a payout is told by an event, which its owner acts upon a moment later: until then their row is behind.
const ROWS = `
  select id, owner_id, currency, unit, parts, to_fields, status,
         status in ('queued', 'preparing', 'sending', 'in_doubt') as is_open, id <> all ($3) as is_told
  from payout
  where owner_kind = $1 and (status in ('queued', 'preparing', 'sending', 'in_doubt') or id = any ($2))`;

/**
 * Where the payouts of one kind of owner are not what the owners' rows say, to the last part and to the same account, either
 * way: a row of one without the other's, or with another content.
 */
export async function sendingFaults(db: Statements, kind: Owner['kind'], sendings: readonly Sending[]): Promise<Fault[]> {
  const untold = (await outbox.undeliveredBodies(db, PAYOUT_EVENT)).map((body) => (body as PayoutBody).intentId);
  const rows = await db.rows<Row>(ROWS, [kind, sendings.map(({ id }) => id), untold]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wanted = new Set(sendings.map(({ id }) => id));
  const faults: Fault[] = [];
  const fault = (id: string, words: string): void => void faults.push({ check: 'payout', account: `payout:${id}`, words });
  for (const one of sendings) {
    const row = byId.get(one.id);
    if (!row) fault(one.id, `${one.of} is being sent, and there is no payout for it`);
    else for (const words of differences(one, row)) fault(one.id, words);
  }
  for (const { id, is_open: isOpen, is_told: isTold, status } of rows) {
    if (isOpen && isTold && !wanted.has(id)) fault(id, `the payout is ${status}, and nobody’s row says that it is to be sent`);
  }
  return faults;
}

function differences(one: Sending, row: Row): string[] {
  const words: string[] = [];
  if (row.owner_id !== one.owner.id) words.push(`${one.of} is being sent, and the payout is another’s: ${row.owner_id}`);
  if (row.currency !== one.currency || row.unit !== one.unit || BigInt(row.parts) !== one.parts)
    words.push(`${one.of} sends ${one.parts} ${one.currency}, and the payout is of ${row.parts} ${row.currency}`);
  if (one.to && !isDeepStrictEqual(row.to_fields, one.to)) words.push(`${one.of} and the payout do not go to the same account`);
  if (!row.is_open && row.is_told) words.push(`${one.of} is being sent, and the payout is ${row.status}`);
  return words;
}

/** Payouts on their way that are not what was asked for, or whose accounts in the books aren't those that their owner named. */
async function alteredPayouts(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<
    Pick<Row, 'id' | 'owner_id' | 'currency' | 'parts' | 'to_fields'> & {
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
      !isAsAsked({ id, owner: { kind, id: owner }, currency, parts: BigInt(parts), to, mac }) ||
      !books ||
      !isAsNamed(id, booksOf(books), booksMac),
  );
  return altered.map(({ id }) => ({ check: 'payout', account: `payout:${id}`, words: 'the payout is not what was asked for' }));
}

/**
 * Events that wait to be handled and that nobody of ours wrote, or put off for so long: an owner's row that is changed meanwhile
 * would count as one that is only behind.
 */
async function strangeEvents(db: Statements): Promise<Fault[]> {
  const told = (await outbox.undeliveredBodies(db, PAYIN_EVENT)) as PayinBody[];
  return [
    ...accuse(
      'event',
      [
        ...(await strangePayins(
          db,
          told.map((body) => ({ body, toldTo: body.owner.id })),
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

/** Capital that the desk sends out stands with its intent until it is sent. */
async function capitalOnItsWay(db: Statements): Promise<Standing[]> {
  const rows = await db.rows<{ id: string; unit: string; parts: string }>(
    `select id, unit, parts from payout where owner_kind = 'desk' and status in ('queued', 'preparing', 'sending', 'in_doubt')`,
  );
  return rows.map(({ id, unit, parts }) => ({
    account: accounts.payout(id, unit),
    parts: BigInt(parts),
    of: `the desk’s payout ${id}`,
  }));
}

/**
 * What payments knows of the books: what the desk sends out, and the attempts, payments and actions that its journals are about.
 */
export const paymentsJudge: Judge = {
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
  standings: async (db) => [...(await capitalOnItsWay(db)), ...(await owedForFinds(db))],
  faults: async (db, scope) => [
    ...(await alteredPayouts(db)),
    ...(await rowFaults(db, scope)),
    ...(await strangeEvents(db)),
    ...accuse('balance', await alteredBalances(db), 'what the rail holds is not what it said last'),
  ],
};
