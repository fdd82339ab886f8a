// Rows of payments to invoices, by which an invoice is found by a transaction.

import type { Statements, Tx } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';

/** Adds the payments of changed invoices, and updates their transactions. Payments from wallets have none, and are left out. */
export async function savePayments(tx: Tx, invoices: readonly Invoice[]): Promise<void> {
  const rows = invoices.flatMap(({ id, store, payments }) =>
    payments.flatMap((payment) =>
      payment.txid === ''
        ? []
        : [{ id: payment.id, invoice_id: id, store_id: store.id, txid: payment.txid, seen_at: payment.seenAt }],
    ),
  );
  if (rows.length === 0) return;
  await tx.run(
    `insert into invoice_payment (id, invoice_id, store_id, txid, seen_at)
     select id, invoice_id, store_id, txid, seen_at from jsonb_populate_recordset(null::invoice_payment, $1::jsonb)
     on conflict (id) do update set txid = excluded.txid where invoice_payment.txid <> excluded.txid`,
    [JSON.stringify(rows)],
    { name: 'gate.save_payments' },
  );
}

/** Returns the id of the invoice that has a payment; undefined if none has. */
export async function invoiceOfPayment(db: Statements, paymentId: string): Promise<string | undefined> {
  const row = await db.row<{ id: string }>('select invoice_id as id from invoice_payment where id = $1', [paymentId], {
    name: 'gate.invoice_of_payment',
  });
  return row?.id;
}
