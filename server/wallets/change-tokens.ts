import { accounts, entryCounts } from '../ledger/index.ts';
import { payinConfirmations } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { CONFIRMATIONS, PAYOUT } from './withdrawals/withdrawal-store.ts';

/** Number of each holder's newest deposits, requests and withdrawals that the change token includes, since pages show no more. */
const NEWEST = 20;

interface HolderRow {
  readonly id: string;
  readonly units: readonly string[];
  readonly mark: string;
}

/**
 * Returns a change token for each holder, which differs after any change of the holder's wallets, deposits or withdrawals.
 * Makes two queries for all holders, and reads no more rows than pages show.
 */
export async function walletChangeTokens(db: Statements, holderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<HolderRow>(
    `select asked.id, array(select unit from wallet where holder_id = asked.id order by unit) as units, md5(concat_ws('|',
       (select string_agg(concat_ws(' ', payin_id, status, confirmations), ',' order by payin_id)
        from (select payin_id, status, coalesce(${payinConfirmations('payin_id')}, confirmations) as confirmations from wallet_deposit
              where holder_id = asked.id order by seen_at desc limit ${NEWEST}) as deposit),
       (select string_agg(concat_ws(' ', id, way is not null, refused, entry), ',' order by id)
        from (select id, way, refused, entry from wallet_receiving_address
              where holder_id = asked.id and until is not null order by opened_at desc limit ${NEWEST}) as place),
       (select string_agg(concat_ws(' ', id, status, payout, confirmations, txid), ',' order by id)
        from (select id, status, ${PAYOUT} as payout, ${CONFIRMATIONS} as confirmations, txid from wallet_withdrawal
              where holder_id = asked.id order by requested_at desc limit ${NEWEST}) as withdrawal))) as mark
     from unnest($1::uuid[]) as asked (id)`,
    [holderIds],
    { name: 'wallets.marks' },
  );
  const refs = rows.flatMap(({ id, units }) =>
    units.flatMap((unit) => [accounts.wallet(id, unit), accounts.walletHeld(id, unit), accounts.walletUncleared(id, unit)]),
  );
  const counts = await entryCounts(db, refs);
  let at = 0;
  return new Map(
    rows.map(({ id, units, mark }) => {
      const own = counts.slice(at, (at += units.length * 3));
      return [id, [mark, ...units, ...own].join(' ')];
    }),
  );
}
