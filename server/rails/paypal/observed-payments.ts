import type { ObservedPayment, Standing, ReceivingAddress } from '../rail.ts';
import { PENDING, Unreachable, booked } from '../provider/index.ts';
import { codeOf, partsOf } from './amounts.ts';
import { idIn } from './client.ts';
import type { PayPalCapture, PayPalOrder, PayPalRefund } from './shapes.ts';

/** What we write into a refund of ours, so that it is told from one that somebody made at PayPal. */
export const REFUND_MARK = 'refund-';

/**
 * Whether an order at PayPal is the payment that this reference waits for: it carries our reference, is in its currency
 * and pays our account. Anything else is neither captured nor credited.
 */
export function isOurs(reference: ReceivingAddress, order: PayPalOrder, merchantId: string): boolean {
  return order.purchase_units.every(
    ({ custom_id: reported, payee, amount }) =>
      reported === reference.to && payee?.merchant_id === merchantId && amount.currency_code === codeOf(reference.currency),
  );
}

/**
 * A capture as a payment, from the capture as it was read back and the refunds of its order. Undefined where nothing was
 * paid (declined, failed, another currency). Throws `Unreachable` where what it says doesn't fit together.
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

/** A refund says by a link which capture it is of; without one it may be of any. */
function isOf({ links }: PayPalRefund, { id }: PayPalCapture): boolean {
  const of = idIn(links, 'captures');
  return of === undefined || of === id;
}

function statusOf(
  currency: string,
  capture: PayPalCapture,
  parts: bigint,
  refunds: readonly PayPalRefund[],
): Standing | undefined {
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') return undefined;
  if (capture.status === 'PENDING' || isConverted(capture)) return PENDING;
  const taken = takenBack(currency, capture, parts, refunds);
  if (taken >= parts) return { at: 'taken_back', reason: 'chargeback' };
  if (taken > 0n) return { at: 'taken_back', reason: 'chargeback', parts: taken };
  const at = capture.update_time ?? capture.create_time;
  if (at === undefined) throw new Unreachable('a capture without a time');
  return booked(new Date(at));
}

/** Changed into another currency on arrival: on our account is something else, which a person must look at. */
function isConverted({ seller_receivable_breakdown: stored }: PayPalCapture): boolean {
  return stored?.exchange_rate !== undefined || stored?.receivable_amount !== undefined;
}

/**
 * How much went back, and not by a refund of ours, in parts. A refund by hand says its sum. A reversal (chargeback, lost
 * dispute) is no refund in the order's list, but the capture says that it is refunded; so what it says must be explained by
 * refunds to the last cent: of one that is refunded whole the rest was reversed. How much of one in part nobody says where
 * no refund is listed: it counts as all.
 */
function takenBack(currency: string, capture: PayPalCapture, parts: bigint, refunds: readonly PayPalRefund[]): bigint {
  const { ours, byHand } = refunded(currency, refunds);
  if (capture.status === 'REFUNDED') return parts - ours;
  return capture.status === 'PARTIALLY_REFUNDED' && ours + byHand === 0n ? parts : byHand;
}

/** What was refunded, or is on its way, by us and by somebody else. */
function refunded(currency: string, refunds: readonly PayPalRefund[]): { ours: bigint; byHand: bigint } {
  const sum = { ours: 0n, byHand: 0n };
  for (const { status, amount, custom_id: mark } of refunds) {
    if (status !== 'COMPLETED' && status !== 'PENDING') continue;
    sum[mark?.startsWith(REFUND_MARK) ? 'ours' : 'byHand'] += partsOf(currency, amount.currency_code, amount.value) ?? 0n;
  }
  return sum;
}

/** Whether nobody but us gave anything of a capture back, or enough is left of it, by all refunds of its order. */
export function isLeft(currency: string, capture: PayPalCapture, all: readonly PayPalRefund[], wanted: bigint): boolean {
  const parts = partsOf(currency, capture.amount.currency_code, capture.amount.value);
  if (parts === undefined) throw new Unreachable('a capture in another currency');
  const refunds = all.filter((one) => isOf(one, capture));
  const taken = takenBack(currency, capture, parts, refunds);
  return taken === 0n || parts - refunded(currency, refunds).ours - taken >= wanted;
}

/** What PayPal kept. A booked capture says so; a pending one may not yet. */
function feeOf(currency: string, { status, seller_receivable_breakdown: stored }: PayPalCapture): bigint | undefined {
  const fee = stored?.paypal_fee;
  if (fee) {
    const parts = partsOf(currency, fee.currency_code, fee.value);
    if (parts !== undefined) return parts;
  }
  if (status === 'COMPLETED' && !stored) throw new Unreachable('a capture without what PayPal kept of it');
  return undefined;
}

/** The account that paid, by PayPal's id and by its address. */
function payersOf({ payer, payment_source: source }: PayPalOrder): string[] {
  const found = [payer?.payer_id ?? source?.paypal?.account_id, payer?.email_address ?? source?.paypal?.email_address];
  return found
    .filter((one): one is string => one !== undefined && one !== '')
    .map((one) => (one.includes('@') ? one.toLowerCase() : one));
}
