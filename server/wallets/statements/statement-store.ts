import type { Statements } from '../../platform/index.ts';
import type { Deposit } from '../deposits/deposit.ts';
import { DEPOSIT, type DepositRow, depositOf } from '../store.ts';

/** Never available, so that the wallet's own account has no entry of it. */
const APART = `d.cleared_at is null`;
const COMING = `d.status in ('seen', 'checking', 'maturing', 'returning')`;

/** A deposit with the address that it was paid to, or its number for people where it was asked for. */
export interface DepositAtAddress extends Deposit {
  readonly address: string;
}

interface Asked {
  readonly ids?: readonly string[];
  /** Only what the wallet's books don't know yet and still goes on. */
  readonly apart?: boolean;
  readonly coming?: boolean;
  readonly units?: readonly string[];
  /** Seen after this moment, and up to that one. */
  readonly after?: Date | undefined;
  readonly upTo?: Date | undefined;
  readonly limit: number;
}

/** A holder's deposits, newest first, by whatever is asked for; another's are never among them. */
export async function depositsOfHolder(
  db: Statements,
  holderId: string,
  { ids, apart, coming, units, after, upTo, limit }: Asked,
): Promise<DepositAtAddress[]> {
  const rows = await db.rows<DepositRow & { address: string }>(
    `select ${DEPOSIT}, coalesce(number, pay_to) as address
     from wallet_deposit d join wallet_receiving_address on wallet_receiving_address.id = receiving_address_id
     where d.holder_id = $1
       and ($2::uuid[] is null or payin_id = any ($2)) and (not $3 or ${APART}) and (not $4 or ${COMING})
       and ($5::text[] is null or unit = any ($5))
       and ($6::timestamptz is null or seen_at > $6) and ($7::timestamptz is null or seen_at <= $7)
     order by seen_at desc, payin_id limit $8`,
    [holderId, ids ?? null, apart ?? false, coming ?? false, units ?? null, after ?? null, upTo ?? null, limit],
  );
  return rows.map(depositOf);
}
