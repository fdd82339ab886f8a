// Notices about a holder's wallets: money that came in, went out, came back, or was sent by others.

import { format, money } from '@kurs/money';
import type { Statements } from '../platform/index.ts';
import { IS_AWAY, STATUS_AT } from './withdrawals/withdrawal-store.ts';

/** One notice: its kind, time and sum, and the data by which a page finds its subject. */
export interface WalletNotice {
  readonly id: string;
  readonly kind: string;
  readonly at: Date;
  readonly money: { readonly amount: string; readonly currency: string };
  /** For a deposit: its transaction id, by which the operations list finds it. */
  readonly txid?: string;
  /** For a transfer: the sender's name as the receiver sees it. */
  readonly person?: string;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: string;
  readonly at: Date;
  readonly unit: string;
  readonly parts: string;
  readonly txid: string | null;
  readonly person: string | null;
}

/** Returns a holder's newest notices, newest first: deposits, withdrawals and transfers by their current status. */
export async function walletNotices(db: Statements, holderId: string, limit: number): Promise<WalletNotice[]> {
  const rows = await db.rows<NoticeRow>(
    `(select payin_id::text as id, 'deposit_' || status as kind,
        case when status in ('returned', 'reversed') then coalesce(ended_at, seen_at)
             when status = 'final' then coalesce(cleared_at, final_at, seen_at) else coalesce(final_at, seen_at) end as at,
        unit, parts, txid, null as person
      from wallet_deposit where holder_id = $1 and status in ('final', 'maturing', 'checking', 'returned', 'reversed')
      order by seen_at desc limit $2)
     union all
     (select id::text, 'withdrawal_' || case status when 'paying' then 'sent' else status end, ${STATUS_AT}, unit, parts + fee,
        null, null from wallet_withdrawal
      where holder_id = $1 and (status in ('failed', 'returned', 'rejected') or ${IS_AWAY}) order by requested_at desc limit $2)
     union all
     (select id::text, 'transfer_received', at, unit, parts, null, from_named from wallet_transfer
      where to_holder = $1 order by at desc limit $2)
     order by at desc, id desc limit $2`,
    [holderId, limit],
    { name: 'wallets.notices' },
  );
  return rows.map(({ unit, parts, txid, person, ...row }) => ({
    ...row,
    money: { amount: format(money(unit, BigInt(parts))), currency: unit },
    ...(txid !== null && { txid }),
    ...(person !== null && { person }),
  }));
}
