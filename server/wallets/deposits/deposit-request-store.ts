import type { PayWay, WayBody } from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import type { DepositRequest, Entry } from './deposit-request.ts';
import { DEPOSIT, type DepositRow, depositOf } from '../store.ts';
import type { Deposit } from './deposit.ts';

const REQUESTED = `id, holder_id as "holderId", currency, pay_to as "to", memo, number, parts, until, way, refused as "isRefused", entry,
  opened_at as "openedAt"`;
interface RequestRow {
  id: string;
  holderId: string;
  currency: string;
  to: string;
  memo: string | null;
  number: string;
  parts: string | null;
  until: Date;
  way: PayWay | null;
  isRefused: boolean;
  entry: Entry | null;
  openedAt: Date;
}
const requestOf = (row: RequestRow): DepositRequest => ({
  ...row,
  memo: row.memo ?? undefined,
  parts: row.parts === null ? undefined : BigInt(row.parts),
  way: row.way ?? undefined,
  entry: row.entry ?? undefined,
});

/** Stores a requested deposit with its address. */
export async function addRequest(tx: Tx, one: Omit<DepositRequest, 'way' | 'isRefused' | 'entry' | 'openedAt'>): Promise<void> {
  const { id, holderId, currency, to, memo, number, parts, until } = one;
  await tx.run(
    `insert into wallet_receiving_address (id, holder_id, currency, pay_to, memo, opened_at, number, parts, until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, holderId, currency, to, memo ?? null, tx.now, number, parts?.toString() ?? null, until],
  );
}

/** Returns a holder's requested deposit with its payments; undefined if it doesn't exist or belongs to another holder. */
export async function requestById(
  db: Statements,
  holderId: string,
  id: string,
): Promise<{ readonly request: DepositRequest; readonly deposits: readonly Deposit[] } | undefined> {
  const row = await db.row<RequestRow>(
    `select ${REQUESTED} from wallet_receiving_address where id = $1 and holder_id = $2 and until is not null`,
    [id, holderId],
  );
  if (!row) return undefined;
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d where receiving_address_id = $1 order by seen_at desc`,
    [id],
  );
  return { request: requestOf(row), deposits: rows.map((one) => depositOf(one)) };
}

/** Locks and returns a holder's requested deposit. */
export async function lockRequest(tx: Tx, holderId: string, id: string): Promise<DepositRequest | undefined> {
  const row = await tx.row<RequestRow>(
    `select ${REQUESTED} from wallet_receiving_address where id = $1 and holder_id = $2 and until is not null for update`,
    [id, holderId],
  );
  return row && requestOf(row);
}

/** Returns the number of a holder's requested deposits that can still be paid and have no payment. */
export async function openRequests(tx: Tx, holderId: string): Promise<number> {
  const row = await tx.row<{ open: number }>(
    `select count(*)::int as open from wallet_receiving_address p where holder_id = $1 and until > $2
       and not exists (select from wallet_deposit where receiving_address_id = p.id)`,
    [holderId, tx.now],
  );
  return row?.open ?? 0;
}

/** Stores the ways to pay requested deposits, and the results of entered vouchers, in the sequence of events. */
export async function saveWays(
  tx: Tx,
  ways: readonly { readonly addressId: string; readonly reported: WayBody }[],
): Promise<void> {
  for (const { addressId, reported } of ways) {
    const { event, way, reason } = reported;
    if (event === 'ready' && way)
      await tx.run('update wallet_receiving_address set way = $2 where id = $1', [addressId, JSON.stringify(way)]);
    else if (event === 'refused') await tx.run('update wallet_receiving_address set refused = true where id = $1', [addressId]);
    else {
      const entry: Entry = event === 'entry_taken' ? 'taken' : (reason ?? 'unavailable');
      await tx.run('update wallet_receiving_address set entry = $2 where id = $1', [addressId, entry]);
    }
  }
}

/** Marks expired requests as settled. Returns each of them, with `isPaid`. */
export async function settleRequests(
  tx: Tx,
  limit: number,
): Promise<{ readonly id: string; readonly currency: string; readonly isPaid: boolean }[]> {
  return tx.rows(
    `with over as (
       select id from wallet_receiving_address where until is not null and not settled and until <= $1
       order by until limit $2 for update skip locked
     )
     update wallet_receiving_address p set settled = true from over where p.id = over.id
     returning p.id, p.currency, exists (select from wallet_deposit d where d.receiving_address_id = p.id
       and d.status not in ('dropped', 'reversed')) as "isPaid"`,
    [tx.now, limit],
  );
}

/** Returns a holder's reversible deposits that were not taken back: the time of the first, and their number. */
export async function reversiblesOf(
  db: Statements,
  holderId: string,
  currencies: readonly string[],
): Promise<{ readonly since: Date | undefined; readonly finished: number }> {
  const row = await db.row<{ since: Date | null; finished: number }>(
    `select min(final_at) as since, count(*)::int as finished from wallet_deposit
     where holder_id = $1 and currency = any ($2) and status in ('maturing', 'final')`,
    [holderId, currencies],
  );
  return { since: row?.since ?? undefined, finished: row?.finished ?? 0 };
}
