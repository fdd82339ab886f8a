import type { Statements } from '../../platform/index.ts';
import type { Deposit } from '../deposits/deposit.ts';
import { DEPOSIT, type DepositRow, depositOf } from '../store.ts';

/** SQL: true for a deposit that has not become available. The wallet's account has no entry of such a deposit. */
const APART = `d.cleared_at is null`;
const COMING = `d.status in ('seen', 'checking', 'maturing', 'returning')`;

/** A deposit with the address that it was paid to, or the number of its request. */
export interface DepositAtAddress extends Deposit {
  readonly address: string;
}

interface DepositFilter {
  readonly ids?: readonly string[];
  /** True to return only deposits that have not become available. */
  readonly isApart?: boolean;
  /** True to return only deposits that are still on their way. */
  readonly isComing?: boolean;
  readonly units?: readonly string[];
  /** Only deposits that were seen after this moment. */
  readonly after?: Date | undefined;
  /** Only deposits that were seen at this moment or before. */
  readonly upTo?: Date | undefined;
  readonly limit: number;
}

/** Returns a holder's deposits that match a filter, newest first. */
export async function depositsOfHolder(
  db: Statements,
  holderId: string,
  { ids, isApart, isComing, units, after, upTo, limit }: DepositFilter,
): Promise<DepositAtAddress[]> {
  const rows = await db.rows<DepositRow & { address: string }>(
    `select ${DEPOSIT}, coalesce(number, pay_to) as address
     from wallet_deposit d join wallet_receiving_address on wallet_receiving_address.id = receiving_address_id
     where d.holder_id = $1
       and ($2::uuid[] is null or payin_id = any ($2)) and (not $3 or ${APART}) and (not $4 or ${COMING})
       and ($5::text[] is null or unit = any ($5))
       and ($6::timestamptz is null or seen_at > $6) and ($7::timestamptz is null or seen_at <= $7)
     order by seen_at desc, payin_id limit $8`,
    [holderId, ids ?? null, isApart ?? false, isComing ?? false, units ?? null, after ?? null, upTo ?? null, limit],
  );
  return rows.map(depositOf);
}
