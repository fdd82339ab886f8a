// Rows of moves between a store's balance and its owner's wallet. Each has a MAC.

import {
  type PageRequest,
  type Statements,
  type Tx,
  beginOf,
  countSome,
  idsOfAltered,
  isMac,
  macOf,
  nextOf,
  steady,
} from '../../platform/index.ts';

export type Direction = 'to_wallet' | 'to_store';
/**
 * Cause of a move: its owner, the end of the store's day, that the money of a personal store became deep, or that its owner owes the
 * desk.
 */
export type MoveCause = 'owner' | 'daily' | 'deep' | 'debt';

/** A move. `usd`: its worth in cents. */
export interface Settlement {
  readonly id: string;
  readonly storeId: string;
  readonly businessId: string | undefined;
  readonly holderId: string;
  readonly direction: Direction;
  readonly unit: string;
  readonly parts: bigint;
  readonly usd: bigint;
  readonly cause: MoveCause;
  readonly at: Date;
}

type SettlementRow = Omit<Settlement, 'businessId' | 'parts' | 'usd'> & {
  readonly businessId: string | null;
  readonly parts: string;
  readonly usd: string;
  readonly mac: string | null;
};

const COLUMNS = `id, store_id as "storeId", business_id as "businessId", holder_id as "holderId", direction, unit, parts::text,
  usd::text, cause, at, mac`;

const contentOf = ({ id, storeId, businessId, holderId, direction, unit, parts, usd, cause, at }: Settlement): string =>
  steady([id, storeId, businessId ?? null, holderId, direction, unit, parts, usd, cause, at]);

const fromRow = ({ mac: _mac, ...row }: SettlementRow): Settlement => ({
  ...row,
  businessId: row.businessId ?? undefined,
  parts: BigInt(row.parts),
  usd: BigInt(row.usd),
});

const isAsStored = (row: SettlementRow): boolean => isMac('settlement', contentOf(fromRow(row)), row.mac);

/** Adds a move. */
export async function addSettlement(tx: Tx, one: Settlement): Promise<void> {
  await tx.run(
    `insert into settlement (id, store_id, business_id, holder_id, direction, unit, parts, usd, cause, at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[
        one.id,
        one.storeId,
        one.businessId ?? null,
        one.holderId,
        one.direction,
        one.unit,
        one.parts,
        one.usd,
        one.cause,
        one.at,
      ],
      macOf('settlement', contentOf(one)),
    ],
    { name: 'gate.add_settlement' },
  );
}

/**
 * Returns the worth in cents of what moved to the wallet since a moment: of all stores of a business, or of one personal store.
 * `isAltered`: true if a row was changed by SQL.
 */
export async function movedUsdSince(
  db: Statements,
  { id, businessId }: { readonly id: string; readonly businessId: string | undefined },
  since: Date,
): Promise<{ readonly usd: bigint; readonly isAltered: boolean }> {
  const rows = await db.rows<SettlementRow>(
    `select ${COLUMNS} from settlement where at > $3 and
       case when $2::uuid is null then store_id = $1 else business_id = $2 end`,
    [id, businessId ?? null, since],
    { name: 'gate.moved_since' },
  );
  const usd = rows.reduce((sum, one) => (one.direction === 'to_wallet' ? sum + BigInt(one.usd) : sum), 0n);
  return { usd, isAltered: !rows.every(isAsStored) };
}

/** Returns the time of the owner's last move to a store after a moment; undefined if there was none. */
export const movedBackSince = async (db: Statements, storeId: string, since: Date): Promise<Date | undefined> =>
  (
    await db.row<{ at: Date }>(
      `select at from settlement where store_id = $1 and direction = 'to_store' and cause = 'owner' and at > $2
       order by at desc limit 1`,
      [storeId, since],
      { name: 'gate.moved_back_since' },
    )
  )?.at;

/** A filter of a store's moves. Days are those of the store's time zone, both included. */
export interface SettlementFilter extends PageRequest {
  readonly store: string;
  readonly direction?: Direction | undefined;
  readonly unit?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const FILTERED = `from settlement where store_id = $1 and ($2::text is null or direction = $2) and ($3::text is null or unit = $3)
  and ($4::date is null or at >= ($4::date)::timestamp at time zone $6)
  and ($5::date is null or at < ($5::date + 1)::timestamp at time zone $6)`;

/** Returns a page of a store's moves, the newest first, and their number. `timezone`: that of the store. */
export async function settlementPage(
  db: Statements,
  filter: SettlementFilter,
  timezone: string,
): Promise<{ readonly settlements: Settlement[]; readonly total: number; readonly next: string | undefined }> {
  const values = [filter.store, filter.direction ?? null, filter.unit ?? null, filter.from ?? null, filter.to ?? null, timezone];
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<SettlementRow & { cursor: string }>(
    `select ${COLUMNS}, at::text as cursor ${FILTERED} and ($7::timestamptz is null or (at, id) < ($7, $8::uuid))
     order by at desc, id desc limit $9 offset $10`,
    [...values, at, id, filter.per_page, offset],
  );
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), values);
  const next = nextOf(
    rows.map((row) => ({ at: row.cursor, id: row.id })),
    filter,
  );
  return { settlements: rows.map(({ cursor: _cursor, ...row }) => fromRow(row)), total: counted?.total ?? 0, next };
}

/** Returns the moves of an account holder with these ids, with the names of the stores. */
export const settlementsOfHolder = (
  db: Statements,
  holderId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly store: string }[]> =>
  db.rows(
    `select settlement.id, store.name as store from settlement join store on store.id = store_id
     where settlement.id = any ($2::uuid[]) and settlement.holder_id = $1`,
    [holderId, ids],
  );

/** Returns the ids of moves whose rows were changed by SQL: among those with these ids, or of all. */
export const alteredSettlements = (db: Statements, ids: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<SettlementRow>(
        `select ${COLUMNS} from settlement where ($1::uuid is null or id > $1) and ($3::uuid[] is null or id = any ($3))
         order by id limit $2`,
        [behind ?? null, max, ids ?? null],
      ),
    isAsStored,
  );

/** SQL: the movements that the books should have for moves to a wallet, and for those to a store. */
export const MOVED_TO_WALLET = `select id as cause, 'merchant:' || store_id || ':' || unit as source,
  'wallet:' || holder_id || ':' || unit as target, parts from settlement where direction = 'to_wallet'`;
export const MOVED_TO_STORE = `select id as cause, 'wallet:' || holder_id || ':' || unit as source,
  'merchant:' || store_id || ':' || unit as target, parts from settlement where direction = 'to_store'`;
