// Forgets the metadata and the e-mail address of invoices that ended long ago. Their sums and payments stay, since the books do.

import type { Db } from '../../platform/index.ts';
import { invoiceMac, reportAltered } from '../rows/invoice-mac.ts';
import { lockInvoices } from '../rows/invoice-rows.ts';
import { settings } from '../settings.ts';

const GROUP = 200;
/** Metadata of an invoice whose metadata was forgotten. */
const NOTHING = '{}';

/**
 * Forgets up to 200 invoices that ended `gate.forget_days` ago or earlier, and returns their number. An invoice whose row was
 * changed outside the product is left unchanged, with an alarm.
 */
export async function forgetInvoices(db: Db): Promise<number> {
  return db.tx(async (tx) => {
    const rows = await tx.rows<{ id: string }>(
      `select id from invoice
       where state in ('settled', 'expired', 'cancelled', 'invalid') and not holds_money and (email is not null or metadata <> '{}')
         and updated_at < $1::timestamptz - $2 * interval '1 day'
       order by updated_at limit $3`,
      [tx.now, settings.get('gate.forget_days'), GROUP],
    );
    const found = await lockInvoices(
      tx,
      rows.map(({ id }) => id),
    );
    for (const invoice of found.filter(({ isAltered }) => isAltered)) reportAltered(invoice);
    const kept = found.filter(({ isAltered }) => !isAltered);
    const forgotten = kept.map((invoice) => ({
      id: invoice.view.id,
      mac: invoiceMac({ ...invoice, email: undefined, metadata: NOTHING }),
    }));
    // A payment may have changed an invoice since it was selected: it is old no more.
    return tx.run(
      `update invoice i set email = null, metadata = $2, mac = n.mac
       from jsonb_to_recordset($1::jsonb) as n (id uuid, mac uuid)
       where i.id = n.id and i.updated_at < $3::timestamptz - $4 * interval '1 day'`,
      [JSON.stringify(forgotten), NOTHING, tx.now, settings.get('gate.forget_days')],
    );
  });
}
