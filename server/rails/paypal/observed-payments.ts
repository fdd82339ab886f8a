import type { ObservedPayment, PaymentStatus, ReceivingAddress } from '../rail.ts';
import { PENDING, Unreachable, booked } from '../provider/index.ts';
import { codeOf, partsOf } from './amounts.ts';
import { idIn } from './client.ts';
import type { PayPalCapture, PayPalOrder, PayPalRefund } from './shapes.ts';

/** Prefix of our own refunds' `custom_id`, which tells them apart from refunds that somebody made at PayPal. */
export const REFUND_MARK = 'refund-';

/**
 * Returns true if an order is the payment for a reference: it has our reference and its currency, and pays our account. Other
 * orders are neither captured nor credited.
 */
export function isOurs(reference: ReceivingAddress, order: PayPalOrder, merchantId: string): boolean {
  return order.purchase_units.every(
    ({ custom_id: reported, payee, amount }) =>
      reported === reference.to && payee?.merchant_id === merchantId && amount.currency_code === codeOf(reference.currency),
  );
}

/**
 * Returns a capture, as read back from PayPal, as a payment, with the refunds of its order. Undefined if it paid nothing
 * (declined, failed, another currency or reference). Throws `Unreachable` if its data is incomplete or contradictory.
 */
export function observedPaymentOf(
  reference: ReceivingAddress,
  order: PayPalOrder,
  capture: PayPalCapture,
): ObservedPayment | undefined {
  const { currency, to } = reference;
  const parts = partsOf(currency, capture.amount.currency_code, capture.amount.value);
  if (parts === undefined || parts === 0n || capture.custom_id !== to) return undefined;
  const refunds = order.purchase_units.flatMap(({ payments }) => payments?.refunds ?? []).filter((one) => isOf(one, capture));
  const status = statusOf(currency, capture, parts, refunds);
  if (!status) return undefined;
  const retained = feeOf(currency, capture);
  return {
    key: `paypal:${capture.id}`,
    currency,
    to,
    parts,
    txid: capture.id,
    from: payersOf(order),
    source: { fields: { capture: capture.id }, key: `capture:${capture.id}` },
    ...(retained !== undefined && { fee: retained }),
    status,
  };
}

/** Returns true if a refund may be of a capture: its link names that capture, or it has no such link. */
function isOf({ links }: PayPalRefund, { id }: PayPalCapture): boolean {
  const of = idIn(links, 'captures');
  return of === undefined || of === id;
}

function statusOf(
  currency: string,
  capture: PayPalCapture,
  parts: bigint,
  refunds: readonly PayPalRefund[],
): PaymentStatus | undefined {
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') return undefined;
  if (capture.status === 'PENDING' || isConverted(capture)) return PENDING;
  const taken = takenBack(currency, capture, parts, refunds);
  if (taken >= parts) return { at: 'taken_back', reason: 'chargeback' };
  if (taken > 0n) return { at: 'taken_back', reason: 'chargeback', parts: taken };
  const at = capture.update_time ?? capture.create_time;
  if (at === undefined) throw new Unreachable('a capture without a time');
  return booked(new Date(at));
}

/** Returns true if PayPal converted the payment: our account got another currency, which a person must check. */
function isConverted({ seller_receivable_breakdown: stored }: PayPalCapture): boolean {
  return stored?.exchange_rate !== undefined || stored?.receivable_amount !== undefined;
}

/**
 * Returns the amount that went back without a refund of ours, in minor units. A refund by hand is listed with its amount. A
 * reversal (chargeback, lost dispute) is not listed, but the capture's status shows it. So of a capture that is refunded
 * completely, all that our refunds don't explain was taken back. A capture that is refunded partly, without any listed
 * refund, counts as taken back completely, since its amount is unknown.
 */
function takenBack(currency: string, capture: PayPalCapture, parts: bigint, refunds: readonly PayPalRefund[]): bigint {
  const { ours, byHand } = refunded(currency, refunds);
  if (capture.status === 'REFUNDED') return parts - ours;
  return capture.status === 'PARTIALLY_REFUNDED' && ours + byHand === 0n ? parts : byHand;
}

/** Sums completed and pending refunds, in minor units: our own ones, and those by hand. */
function refunded(currency: string, refunds: readonly PayPalRefund[]): { ours: bigint; byHand: bigint } {
  const sum = { ours: 0n, byHand: 0n };
  for (const { status, amount, custom_id: mark } of refunds) {
    if (status !== 'COMPLETED' && status !== 'PENDING') continue;
    sum[mark?.startsWith(REFUND_MARK) ? 'ours' : 'byHand'] += partsOf(currency, amount.currency_code, amount.value) ?? 0n;
  }
  return sum;
}

/**
 * Returns true if only we refunded parts of a capture, or if `wanted` is left after all refunds and reversals. `all`: the refunds
 * of its order. Throws `Unreachable` for a capture in another currency.
 */
export function isLeft(currency: string, capture: PayPalCapture, all: readonly PayPalRefund[], wanted: bigint): boolean {
  const parts = partsOf(currency, capture.amount.currency_code, capture.amount.value);
  if (parts === undefined) throw new Unreachable('a capture in another currency');
  const refunds = all.filter((one) => isOf(one, capture));
  const taken = takenBack(currency, capture, parts, refunds);
  return taken === 0n || parts - refunded(currency, refunds).ours - taken >= wanted;
}

/** Returns PayPal's fee in minor units. A pending capture may not show it yet. Throws `Unreachable` if a completed one doesn't. */
function feeOf(currency: string, { status, seller_receivable_breakdown: stored }: PayPalCapture): bigint | undefined {
  const fee = stored?.paypal_fee;
  if (fee) {
    const parts = partsOf(currency, fee.currency_code, fee.value);
    if (parts !== undefined) return parts;
  }
  if (status === 'COMPLETED' && !stored) throw new Unreachable('a capture without what PayPal kept of it');
  return undefined;
}

/** Returns the payer's account: PayPal's id and the e-mail address, if known. */
function payersOf({ payer, payment_source: source }: PayPalOrder): string[] {
  const found = [payer?.payer_id ?? source?.paypal?.account_id, payer?.email_address ?? source?.paypal?.email_address];
  return found
    .filter((one): one is string => one !== undefined && one !== '')
    .map((one) => (one.includes('@') ? one.toLowerCase() : one));
}
