// Hands money of an invoice over to its payers, as unallocated payments of the exchange: what the invoice doesn't need, and the
// worth of payments that are given back.

import { holdersById } from '../../auth/index.ts';
import { type Payment, type UnitOfWork, cutPayment } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { type PayersMoney, openForOwner } from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import { isConverted } from '../invoices/decide.ts';
import {
  type Invoice,
  type InvoicePayment,
  givenTo,
  handedOver,
  hasEnded,
  hasPayersMoney,
  payersPart,
  toGive,
} from '../invoices/invoice.ts';
import { type StoredInvoice, emailOfPayer } from '../rows/stored-invoice.ts';
import { isDeepPayment } from '../settled/settled.ts';
import type { InvoiceBatch } from './batch.ts';

/** Money of one payment to hand over, and the invoice after it. */
interface HandOver {
  readonly invoiceId: string;
  readonly money: PayersMoney;
  readonly after: (invoice: Invoice, orderId: string) => Invoice;
}

/**
 * Opens an unallocated payment for the payer's part of each payment of the batch's changed invoices, and for each payment that is
 * given back, and notes it with the payment. Call it after all steps, before the batch is saved.
 */
export async function handOver(unit: UnitOfWork, sender: Sender, batch: InvoiceBatch): Promise<void> {
  const due: HandOver[] = [];
  for (const stored of batch.changed().filter(({ view }) => hasPayersMoney(view)))
    for (const payment of stored.view.payments) due.push(...(await handOversOf(unit.tx, stored, payment)));
  const orderIds = await openForOwner(
    unit,
    sender,
    due.map(({ money }) => money),
  );
  for (const [at, { invoiceId, after }] of due.entries()) {
    const now = batch.invoice(invoiceId);
    batch.revise(invoiceId, { ...now, view: after(now.view, orderIds[at] as string) });
  }
}

async function handOversOf(tx: Tx, stored: StoredInvoice, payment: InvoicePayment): Promise<HandOver[]> {
  const invoiceId = stored.view.id;
  const over = payersPart(payment) > 0n ? [excessOf(stored, payment)] : [];
  const given = toGive(payment) > 0n ? [await worthGiven(tx, stored, payment)] : [];
  return [
    ...over.map((money): HandOver => ({ invoiceId, money, after: (view, id) => handedOver(view, payment, id, tx.now) })),
    ...given.map((money): HandOver => ({ invoiceId, money, after: (view, id) => givenTo(view, payment, id) })),
  ];
}

/** Returns the payer's part of a payment. Throws for a payment from a wallet: it is refused instead, if the invoice doesn't need it. */
function excessOf(stored: StoredInvoice, payment: InvoicePayment): PayersMoney {
  const { view, locale } = stored;
  const { currency, unit, walletOf } = payment;
  if (walletOf !== undefined) throw new Error(`the payment ${payment.id} from a wallet has money that its invoice doesn't need`);
  const { piece } = cutPayment(asPayment(payment), payersPart(payment));
  // Only a refused payment still has its hold here: people of the desk decide further.
  const held = payment.hold && { cause: payment.hold.cause, since: payment.hold.since };
  return {
    currency,
    piece,
    from: accounts.invoiceIn(view.id, unit),
    customer: { email: emailOfPayer(stored) ?? '', locale },
    held,
    paidFor: { number: stored.number, why: whyPayers(view, payment) },
    ...depthOf(payment),
  };
}

/**
 * Returns the worth of a payment that is given back: from the desk if the payment was converted, else the coin itself. A payment
 * from a wallet belongs to the wallet's holder, and is refunded there.
 */
async function worthGiven(tx: Tx, stored: StoredInvoice, payment: InvoicePayment): Promise<PayersMoney> {
  const { view, locale } = stored;
  const email = emailOfPayer(stored) ?? '';
  const { booked, currency, unit, walletOf } = payment;
  // The costs have paid for the part that the provider retained.
  const { retained: _, ...piece } = asPayment(payment);
  const from = booked && isConverted(payment, booked) ? accounts.deskFree(unit) : accounts.invoiceSet(view.id, unit);
  const money = {
    currency,
    piece: { ...piece, parts: toGive(payment) },
    from,
    returnsTo: accounts.invoiceIn(view.id, unit),
    paidFor: { number: stored.number, why: 'given_back' as const },
    ...depthOf(payment),
  };
  if (walletOf === undefined) return { ...money, customer: { email, locale } };
  const holder = (await holdersById(tx, [walletOf])).get(walletOf);
  const customer = { email: holder?.email ?? email, locale: holder?.locale ?? locale, holderId: walletOf };
  return { ...money, customer, isWallet: true };
}

/** Returns the reason for which money that an invoice doesn't need stays its payer's. */
function whyPayers(view: Invoice, { stage, currency, isLate, hold }: InvoicePayment): PayersMoney['paidFor']['why'] {
  if (hold) return 'not_taken';
  if (stage === 'credited' || stage === 'returning') return 'over';
  if (stage === 'given_back') return 'given_back';
  // A payment in another currency of the same address.
  if (!view.options.some((option) => option.currency === currency)) return 'not_taken';
  if (view.state === 'settled') return 'over';
  return isLate || hasEnded(view) ? 'late' : 'not_taken';
}

/** Says that a payment is not deep yet, so that nothing of it may be sent. */
const depthOf = (payment: InvoicePayment): Pick<PayersMoney, 'isShallow'> => (isDeepPayment(payment) ? {} : { isShallow: true });

/** Returns a payment without what only its invoice knows. */
function asPayment(payment: InvoicePayment): Payment {
  const { id, parts, place, txid, seenAt, seenAfter, isFeeOk, firstConfirmedAt, confirmations, needed, source, retained } =
    payment;
  return {
    ...{ id, parts, status: 'final', place, txid, seenAt, isFeeOk, confirmations, needed },
    ...(seenAfter && { seenAfter }),
    ...(firstConfirmedAt && { firstConfirmedAt }),
    ...(source && { source }),
    ...(retained !== undefined && { retained }),
  };
}
