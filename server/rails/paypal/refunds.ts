import { money } from '@kurs/money';
import type { z } from 'zod';
import type { Attempt, Found, PayoutItem, Sent } from '../rail.ts';
import { Unreachable, jsonOf } from '../provider/index.ts';
import { codeOf, valueOf } from './amounts.ts';
import { NotGranted, type PayPal, idIn, refusalOf } from './client.ts';
import * as shapes from './shapes.ts';
import { REFUND_MARK, isLeft } from './observed-payments.ts';

/** A request that is stored before it is sent. Only its bytes are ever sent. */
export interface StoredRequest {
  readonly kind: 'payout' | 'refund';
  readonly path: string;
  readonly body: string;
}

/** Returns the request that `prepare` stored in an attempt. */
export const storedIn = ({ raw }: Pick<Attempt, 'raw'>): StoredRequest => JSON.parse(raw) as StoredRequest;

/** Returns the request that refunds a part of a payment to its source. */
export function refundRequest({ id, currency, to, parts }: PayoutItem): StoredRequest {
  const code = codeOf(currency);
  const amount = { currency_code: code, value: valueOf(money(currency, parts), code) };
  return {
    kind: 'refund',
    path: `/v2/payments/captures/${encodeURIComponent(to['capture'] ?? '')}/refund`,
    body: JSON.stringify({ amount, custom_id: `${REFUND_MARK}${id}` }),
  };
}

/**
 * Returns true if the given part of a payment can still be refunded: a payer after a chargeback or a refund by hand already has
 * that money. Throws `Unreachable` without a usable answer.
 */
export async function isRefundable(
  paypal: PayPal,
  { currency, to, parts }: Pick<PayoutItem, 'currency' | 'to' | 'parts'>,
): Promise<boolean> {
  const capture = await paypal.read(`/v2/payments/captures/${encodeURIComponent(to['capture'] ?? '')}`, shapes.capture);
  if (capture?.status === 'COMPLETED') return true;
  // A part went back: by our refunds, or by somebody else's.
  if (capture?.status !== 'PARTIALLY_REFUNDED') return false;
  return isLeft(currency, capture, refundsOf(await orderOf(paypal, capture)), parts);
}

/** Words for the operator while PayPal has not granted the disputes API, which it grants on request. */
export const NO_DISPUTES =
  'PayPal has not granted its disputes API to our app (403), so all refunds of payments and releases of stores’ reserves wait. Ask PayPal to grant “Customer Disputes” to the app with our client id, then nothing else is needed';

/** Returns a page of disputes; undefined if PayPal answers 404. Throws `NotGranted` with words for the operator, and `Unreachable`. */
const listDisputes = (paypal: PayPal, query: string): Promise<z.output<typeof shapes.disputes> | undefined> =>
  paypal.read(`/v1/customer/disputes?${query}`, shapes.disputes).catch((error: unknown) => {
    throw error instanceof NotGranted ? new NotGranted(NO_DISPUTES) : error;
  });

/** Returns false if PayPal has not granted its disputes API to our app; undefined without a usable answer. */
export const mayListDisputes = (paypal: PayPal): Promise<boolean | undefined> =>
  listDisputes(paypal, 'page_size=1').then(
    () => true,
    (error: unknown) => (error instanceof NotGranted ? false : undefined),
  );

/**
 * Returns true if a payer disputes a captured payment now. A list that is longer than one page counts as an open dispute. Throws
 * `Unreachable` without a usable answer.
 */
export async function isDisputed(paypal: PayPal, capture: string): Promise<boolean> {
  const found = await listDisputes(paypal, `page_size=50&disputed_transaction_id=${encodeURIComponent(capture)}`);
  if (!found) throw new Unreachable('PayPal does not list the disputes of a payment');
  return found.items.some(({ status }) => status !== 'RESOLVED') || found.links.some(({ rel }) => rel === 'next');
}

/**
 * Sends a refund. PayPal treats a repeated id as the same refund for 45 days (Payments v2, `PayPal-Request-Id`). Throws
 * `Unreachable` without a usable answer.
 */
export async function sendRefund(paypal: PayPal, { reference }: Attempt, { path, body }: StoredRequest): Promise<Sent> {
  const reply = await paypal.post(path, body, reference);
  const no = refusalOf(reply);
  if (no) return { outcome: no.isRepeated ? 'exists' : 'refused', reason: no.reason };
  if (reply.status !== 200 && reply.status !== 201) return { outcome: 'unknown', reason: `status ${reply.status}` };
  const { id, status } = jsonOf(reply, shapes.refund);
  if (status === 'FAILED' || status === 'CANCELLED') return { outcome: 'refused', reason: `refund ${status}` };
  return { outcome: 'accepted', txid: id };
}

/** Looks a refund up: by PayPal's id if it is known, otherwise among the refunds of the paid order. Throws `Unreachable`. */
export async function findRefund(paypal: PayPal, attempt: Attempt, request: StoredRequest, id?: string): Promise<Found> {
  const refund =
    id === undefined ? await search(paypal, attempt, request) : await paypal.read(`/v2/payments/refunds/${id}`, shapes.refund);
  if (!refund) return { outcome: 'absent', isConclusive: false };
  if (refund.custom_id !== undefined && refund.custom_id !== REFUND_MARK + attempt.reference) {
    throw new Unreachable('PayPal tells of another refund than the one that was asked for');
  }
  if (refund.status === 'PENDING') return { outcome: 'pending', txid: refund.id };
  const ok = refund.status === 'COMPLETED';
  return { outcome: 'mined', txid: refund.id, height: 0, confirmations: 1, isFinalised: true, ok, fee: 0n };
}

async function search(paypal: PayPal, { reference }: Attempt, { path }: StoredRequest): Promise<shapes.PayPalRefund | undefined> {
  const capture = await paypal.read(path.replace(/\/refund$/, ''), shapes.capture);
  if (!capture) throw new Unreachable('PayPal does not know the capture of a refund');
  const refunds = refundsOf(await orderOf(paypal, capture));
  return refunds.find(({ custom_id: mark }) => mark === REFUND_MARK + reference);
}

async function orderOf(paypal: PayPal, capture: shapes.PayPalCapture): Promise<shapes.PayPalOrder> {
  const orderId = orderIdOf(capture);
  if (orderId === undefined) throw new Unreachable('a capture without its order');
  const order = await paypal.read(`/v2/checkout/orders/${orderId}`, shapes.order);
  if (!order) throw new Unreachable('PayPal does not know the order of a refund');
  return order;
}

const refundsOf = ({ purchase_units: units }: shapes.PayPalOrder): shapes.PayPalRefund[] =>
  units.flatMap(({ payments }) => payments?.refunds ?? []);

/** Returns the id of a capture's order, from PayPal's own field or from its link; undefined if there is neither. */
export function orderIdOf({ supplementary_data: data, links }: shapes.PayPalCapture): string | undefined {
  return data?.related_ids?.order_id ?? idIn(links, 'orders');
}
