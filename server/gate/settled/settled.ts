// Sums that payments brought their store when they were settled, and whether these may leave the store already. Pure.

import type { Invoice, InvoicePayment, Settled } from '../invoices/invoice.ts';

/** Returns what the store has of a payment now, in parts of the unit that it was settled in: less the fee and what was taken back. */
export const netOf = ({ booked }: Pick<InvoicePayment, 'booked'>): bigint =>
  booked?.fee === undefined ? 0n : booked.set - booked.fee;

/** True if no reorg that we expect takes a payment back. One from a wallet is deep at once. */
export const isDeepPayment = ({ isDeep, walletOf }: Pick<InvoicePayment, 'isDeep' | 'walletOf'>): boolean =>
  isDeep === true || walletOf !== undefined;

/** Returns the invoice with a final payment that is deep from now on; the same invoice if nothing changes. */
export function deepened(invoice: Invoice, paymentId: string): Invoice {
  const isNews = ({ id, status, isDeep }: InvoicePayment): boolean => id === paymentId && status === 'final' && !isDeep;
  if (!invoice.payments.some(isNews)) return invoice;
  return { ...invoice, payments: invoice.payments.map((one) => (isNews(one) ? { ...one, isDeep: true } : one)) };
}

/** Data from outside: the time, and the worth in cents of a credit of the invoice's currency. */
interface SettledContext {
  readonly now: Date;
  readonly usdOf: (credit: bigint) => bigint;
}

/**
 * Returns a changed invoice with a note on each payment that was settled, or of which a part was taken back since `before`. Returns
 * the same invoice if there is none.
 */
export function withSettled(before: Invoice | undefined, invoice: Invoice, context: SettledContext): Invoice {
  const former = new Map(before?.payments.map((one) => [one.id, one]));
  const payments = invoice.payments.map((payment) => {
    const settled = settledOf(former.get(payment.id), payment, context);
    return settled === payment.settled ? payment : { ...payment, settled };
  });
  return payments.every((one, at) => one === invoice.payments[at]) ? invoice : { ...invoice, payments };
}

function settledOf(
  before: InvoicePayment | undefined,
  payment: InvoicePayment,
  { now, usdOf }: SettledContext,
): Settled | undefined {
  const { booked, settled, credit } = payment;
  const net = netOf(payment);
  if (settled === undefined)
    return booked?.fee === undefined ? undefined : { at: now, unit: booked.unit, parts: net, usd: usdOf(credit) };
  return before !== undefined && net < netOf(before) ? { ...settled, takenAt: now } : settled;
}

/** Returns the worth in cents of what the rail took back of a settled payment, rounded up. */
export function takenUsdOf(payment: InvoicePayment & { readonly settled: Settled }): bigint {
  const { parts, usd } = payment.settled;
  const net = netOf(payment);
  // A payment that came again may have brought more than before.
  const taken = net < parts ? parts - net : 0n;
  return parts === 0n ? 0n : (usd * taken + parts - 1n) / parts;
}
