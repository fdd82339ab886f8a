import type { Statements, Tx } from '../platform/index.ts';
import type { Deposit, DepositStatus } from './deposit.ts';

/** Where a holder pays into his wallet in one currency. */
export interface WalletPlace {
  readonly id: string;
  readonly holderId: string;
  readonly currency: string;
  readonly to: string;
  readonly memo: string | undefined;
}

/** Opens a wallet of a unit; nothing happens where the holder has it. */
export async function openWallet(tx: Tx, holderId: string, unit: string): Promise<void> {
  await tx.run(`insert into wallet (holder_id, unit, opened_at) values ($1, $2, $3) on conflict do nothing`, [
    holderId,
    unit,
    tx.now,
  ]);
}

/** The units that a holder has wallets of, the oldest first. */
export async function unitsOf(db: Statements, holderId: string): Promise<string[]> {
  const rows = await db.rows<{ unit: string }>('select unit from wallet where holder_id = $1 order by opened_at, unit', [
    holderId,
  ]);
  return rows.map(({ unit }) => unit);
}

const PLACE = `id, holder_id as "holderId", currency, pay_to as "to", memo`;
type PlaceRow = Omit<WalletPlace, 'memo'> & { memo: string | null };
const placeOf = (row: PlaceRow): WalletPlace => ({ ...row, memo: row.memo ?? undefined });

/** A holder's place of a currency of a unit that he has a wallet of. That is locked, so that two calls at once open one place. */
export async function placeFor(
  tx: Tx,
  { holderId, unit, currency }: { readonly holderId: string; readonly unit: string; readonly currency: string },
): Promise<WalletPlace | undefined> {
  await tx.row('select from wallet where holder_id = $1 and unit = $2 for no key update', [holderId, unit]);
  const row = await tx.row<PlaceRow>(`select ${PLACE} from wallet_place where holder_id = $1 and currency = $2`, [
    holderId,
    currency,
  ]);
  return row && placeOf(row);
}

/** Places by their ids. */
export async function placesById(db: Statements, ids: readonly string[]): Promise<Map<string, WalletPlace>> {
  const rows = await db.rows<PlaceRow>(`select ${PLACE} from wallet_place where id = any($1)`, [ids]);
  return new Map(rows.map((row) => [row.id, placeOf(row)]));
}

export async function addPlace(tx: Tx, { id, holderId, currency, to, memo }: WalletPlace): Promise<void> {
  await tx.run(`insert into wallet_place (id, holder_id, currency, pay_to, memo, opened_at) values ($1, $2, $3, $4, $5, $6)`, [
    id,
    holderId,
    currency,
    to,
    memo ?? null,
    tx.now,
  ]);
}

const DEPOSIT = `payin_id as "payinId", place_id as "placeId", holder_id as "holderId", currency, unit, parts, txid, status,
  confirmations, needed, seen_at as "seenAt", final_at as "finalAt"`;
type DepositRow = Omit<Deposit, 'parts' | 'finalAt'> & { parts: string; finalAt: Date | null };
const depositOf = (row: DepositRow): Deposit => ({ ...row, parts: BigInt(row.parts), finalAt: row.finalAt ?? undefined });

/** Deposits by payments' ids. */
export async function depositsById(tx: Tx, payins: readonly string[]): Promise<Map<string, Deposit>> {
  const rows = await tx.rows<DepositRow>(`select ${DEPOSIT} from wallet_deposit where payin_id = any($1) for update`, [payins]);
  return new Map(rows.map((row) => [row.payinId, depositOf(row)]));
}

export async function saveDeposits(tx: Tx, deposits: readonly Deposit[]): Promise<void> {
  const column = <T>(of: (one: Deposit) => T): T[] => deposits.map(of);
  await tx.run(
    `insert into wallet_deposit (payin_id, place_id, holder_id, currency, unit, parts, txid, status, confirmations, needed,
       seen_at, final_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::text[], $8::text[],
       $9::int[], $10::int[], $11::timestamptz[], $12::timestamptz[])
     on conflict (payin_id) do update set parts = excluded.parts, txid = excluded.txid, status = excluded.status,
       confirmations = excluded.confirmations, needed = excluded.needed, final_at = excluded.final_at`,
    [
      column(({ payinId }) => payinId),
      column(({ placeId }) => placeId),
      column(({ holderId }) => holderId),
      column(({ currency }) => currency),
      column(({ unit }) => unit),
      column(({ parts }) => parts.toString()),
      column(({ txid }) => txid),
      column(({ status }): DepositStatus => status),
      column(({ confirmations }) => confirmations),
      column(({ needed }) => needed),
      column(({ seenAt }) => seenAt),
      column(({ finalAt }) => finalAt ?? null),
    ],
  );
}

/** A holder's deposits, newest first; with `pending` only those that are no money of his yet. */
export async function depositsOf(
  db: Statements,
  holderId: string,
  { pending = false, limit }: { readonly pending?: boolean; readonly limit: number },
): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit
     where holder_id = $1 and ($2 = false or status = 'seen') order by seen_at desc limit $3`,
    [holderId, pending, limit],
  );
  return rows.map(depositOf);
}
