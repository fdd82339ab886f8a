// The payer's secret of an invoice, and what it opens: the unallocated payments of money that belongs to the payer.
//
// Only the browser that chose the first method gets the secret. The invoice's link alone decides nothing.

import { type StoredOrder, readOrders } from '../../exchange/index.ts';
import type { Statements, Tokens } from '../../platform/index.ts';
import type { Invoice, InvoicePayment } from '../invoices/invoice.ts';

const SECRET = { kind: 'payer', version: 1 } as const;

/** Returns the payer's secret of an invoice. */
export const payerSecret = (tokens: Tokens, invoiceId: string): string => tokens.make(SECRET.kind, invoiceId, SECRET.version);

/** True if a caller gave the payer's secret of an invoice. */
export const isPayer = (tokens: Tokens, invoiceId: string, secret: string | undefined): boolean =>
  secret !== undefined && tokens.check(secret, SECRET.kind, invoiceId, SECRET.version);

/** The unallocated payment of a payment, with the secret of its page. */
export interface PayersOrder {
  readonly id: string;
  readonly token: string;
}

/**
 * Returns the newest unallocated payment of each payment, by the payment's id. Returns none if the caller doesn't have the
 * payer's secret. Those that were changed outside the product are left out.
 */
export async function payersOrders(
  { db, tokens }: { readonly db: Statements; readonly tokens: Tokens },
  { id, payments }: Pick<Invoice, 'id' | 'payments'>,
  secret: string | undefined,
): Promise<ReadonlyMap<string, PayersOrder>> {
  const newest = new Map(payments.flatMap((payment) => latestOf(payment)));
  if (newest.size === 0 || !isPayer(tokens, id, secret)) return new Map();
  const orders = await readOrders(db, [...newest.values()]);
  const byId = new Map(orders.filter(({ isAltered }) => !isAltered).map((order) => [order.view.id, order]));
  return new Map(
    [...newest].flatMap(([paymentId, orderId]) => {
      const order = byId.get(orderId);
      return order ? [[paymentId, keyOf(tokens, order)] as const] : [];
    }),
  );
}

const latestOf = ({ id, handedOver = [], givenBack }: InvoicePayment): (readonly [string, string])[] => {
  const latest = givenBack?.orderId ?? handedOver.at(-1)?.orderId;
  return latest === undefined ? [] : [[id, latest]];
};

const keyOf = (tokens: Tokens, { view, number, tokenVersion }: StoredOrder): PayersOrder => ({
  id: number,
  token: tokens.make('order', view.id, tokenVersion),
});
