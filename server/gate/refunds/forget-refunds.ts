// Forgets the e-mail addresses of refunds that ended long ago. Their sums and claims stay, since the books do.

import type { Db } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import { forgottenRefund, lockRefunds, reportAltered } from './rows/refund-rows.ts';

const GROUP = 200;

/**
 * Forgets the addresses of up to 200 refunds that ended `gate.forget_days` ago or earlier, and returns their number. Money that comes
 * back to such a refund later returns to the store, since nobody can prove the address. A refund whose row was changed outside the
 * product is left unchanged, with an alarm.
 */
export async function forgetRefunds(db: Db): Promise<number> {
  return db.tx(async (tx) => {
    const values = [tx.now, settings.get('gate.forget_days')];
    const rows = await tx.rows<{ id: string }>(
      `select id from store_refund
       where state in ('paid', 'expired', 'cancelled') and not holds_money and email <> ''
         and updated_at < $1::timestamptz - $2 * interval '1 day'
       order by updated_at limit $3`,
      [...values, GROUP],
    );
    const found = await lockRefunds(
      tx,
      rows.map(({ id }) => id),
    );
    for (const refund of found) if (refund.isAltered) reportAltered(refund.id, { refundId: refund.id });
    // A payout may have come back since a refund was selected: it is old no more.
    return tx.run(
      `update store_refund r set email = '', mac = n.mac from jsonb_to_recordset($3::jsonb) as n (id uuid, mac uuid)
       where r.id = n.id and r.updated_at < $1::timestamptz - $2 * interval '1 day'`,
      [...values, JSON.stringify(found.filter(({ isAltered }) => !isAltered).map(forgottenRefund))],
    );
  });
}
