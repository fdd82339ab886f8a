import type { Statements } from '../platform/index.ts';
import type { Deposit, DepositStatus } from './deposit.ts';

/** A deposit with the address that it was paid to. */
export interface DepositAtPlace extends Deposit {
  readonly address: string;
}

interface Asked {
  readonly ids?: readonly string[];
  readonly statuses?: readonly DepositStatus[];
  readonly units?: readonly string[];
  /** Seen after this moment, and up to that one. */
  readonly after?: Date | undefined;
  readonly upTo?: Date | undefined;
  readonly limit: number;
}

type Row = Omit<DepositAtPlace, 'parts' | 'finalAt'> & { parts: string; finalAt: Date | null };

/** A holder's deposits, newest first, by whatever is asked for; another's are never among them. */
export async function depositsOfHolder(
  db: Statements,
  holderId: string,
  { ids, statuses, units, after, upTo, limit }: Asked,
): Promise<DepositAtPlace[]> {
  const rows = await db.rows<Row>(
    `select payin_id as "payinId", place_id as "placeId", wallet_deposit.holder_id as "holderId", wallet_deposit.currency, unit,
       parts, txid, status, confirmations, needed, seen_at as "seenAt", final_at as "finalAt", pay_to as address
     from wallet_deposit join wallet_place on wallet_place.id = place_id
     where wallet_deposit.holder_id = $1
       and ($2::uuid[] is null or payin_id = any ($2)) and ($3::text[] is null or status = any ($3))
       and ($4::text[] is null or unit = any ($4))
       and ($5::timestamptz is null or seen_at > $5) and ($6::timestamptz is null or seen_at <= $6)
     order by seen_at desc, payin_id limit $7`,
    [holderId, ids ?? null, statuses ?? null, units ?? null, after ?? null, upTo ?? null, limit],
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts), finalAt: row.finalAt ?? undefined }));
}
