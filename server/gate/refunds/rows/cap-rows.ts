// Rows of caps: sums in 24 hours up to which claims go out without another member of the store. Each has a MAC.

import { type Statements, type Tx, isMac, macOf, steady } from '../../../platform/index.ts';

/** A cap in cents: of an API key, or of a store's managers if there is no key. */
export interface RefundCap {
  readonly storeId: string;
  readonly keyId: string | undefined;
  readonly usd: bigint;
  readonly setAt: Date;
  readonly setBy: string;
}

interface CapRow extends Omit<RefundCap, 'keyId' | 'usd'> {
  readonly keyId: string | null;
  readonly usd: string;
  readonly mac: string | null;
}

const COLUMNS = 'store_id as "storeId", key_id as "keyId", usd::text, set_at as "setAt", set_by as "setBy", mac';

const contentOf = ({ storeId, keyId, usd, setAt, setBy }: RefundCap): string =>
  steady([storeId, keyId ?? null, usd, setAt, setBy]);

const fromRow = ({ mac: _mac, keyId, usd, ...row }: CapRow): RefundCap => ({
  ...row,
  keyId: keyId ?? undefined,
  usd: BigInt(usd),
});
const isAsStored = (row: CapRow): boolean => isMac('store refund cap', contentOf(fromRow(row)), row.mac);

/** Returns the caps of a store. Those whose rows were changed by SQL are left out, so that they count as 0. */
export async function capsOf(db: Statements, storeId: string): Promise<RefundCap[]> {
  const rows = await db.rows<CapRow>(`select ${COLUMNS} from store_refund_cap where store_id = $1`, [storeId], {
    name: 'gate.caps',
  });
  return rows.filter(isAsStored).map(fromRow);
}

/** Stores a cap of a locked store. */
export async function saveCap(tx: Tx, cap: RefundCap): Promise<void> {
  await tx.run(
    `insert into store_refund_cap (store_id, key_id, usd, set_at, set_by, mac) values ($1, $2, $3, $4, $5, $6)
     on conflict (store_id, coalesce(key_id, store_id))
     do update set usd = excluded.usd, set_at = excluded.set_at, set_by = excluded.set_by, mac = excluded.mac`,
    [cap.storeId, cap.keyId ?? null, cap.usd, cap.setAt, cap.setBy, macOf('store refund cap', contentOf(cap))],
  );
}

/** Returns the ids of stores with a cap that was changed by SQL. */
export async function alteredCaps(db: Statements): Promise<string[]> {
  const rows = await db.rows<CapRow>(`select ${COLUMNS} from store_refund_cap order by store_id`);
  return [...new Set(rows.filter((row) => !isAsStored(row)).map(({ storeId }) => storeId))];
}
