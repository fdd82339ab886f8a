import { codeOf, valueOf } from './amounts.ts';
import type { AccountCheck, Fields, OpenRequest, Opened, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { type ProviderContext, type Reply, Unreachable, checkEmail, jsonOf, observeEach } from '../provider/index.ts';
import { type PayPal, refusalOf } from './client.ts';
import type { PayPalSettings } from './config.ts';
import { Recent } from './newest-by-key.ts';
import * as shapes from './shapes.ts';
import { isOurs, observedPaymentOf } from './observed-payments.ts';
import { isDisputed } from './refunds.ts';

/** Length of the longest receiver that PayPal accepts (Payouts v1, `receiver`). */
const LONGEST = 127;
const CAPTURE = /^[A-Za-z0-9-]{1,60}$/;
/** Number of orders that one call polls at the same time. */
const TOGETHER = 4;
/** Number of captured orders to remember. */
const REMEMBERED = 50_000;

/**
 * Checks an account: an e-mail address, without surrounding spaces and in lower case. A refund's account is the capture to give
 * back. Customers never enter one; it comes from an observed payment.
 */
export function checkAccount(fields: Fields): AccountCheck {
  const { capture, ...others } = fields;
  if (capture !== undefined && Object.keys(others).length === 0) {
    return CAPTURE.test(capture)
      ? { ok: true, fields: { capture }, key: `capture:${capture}` }
      : { ok: false, field: 'capture', problem: 'bad_format' };
  }
  return checkEmail('email', LONGEST, fields);
}

/**
 * Returns the pay-in side: one order at PayPal per reference. A poll captures an order that its payer has approved while an owner
 * still waits for it.
 */
export function paypalPayin(
  paypal: PayPal,
  config: PayPalSettings,
  context: ProviderContext,
): Omit<Payin, 'check'> & Required<Pick<Payin, 'open' | 'isDisputed'>> {
  /** Orders that were seen with a capture. If PayPal no longer knows one of them, that proves nothing. */
  const captured = new Recent<true>(REMEMBERED);

  async function poll(reference: ReceivingAddress): Promise<ObservedPayment[]> {
    if (reference.id === undefined) return [];
    let order = await readOrder(paypal, reference.id);
    if (order?.status === 'APPROVED' && reference.isWanted === true && isOurs(reference, order, config.merchantId)) {
      await capture(paypal, reference, order);
      order = await readOrder(paypal, reference.id);
    }
    if (!order) {
      if (captured.get(reference.id)) throw new Unreachable('PayPal does not know an order any more that it had captured');
      return [];
    }
    if (!isOurs(reference, order, config.merchantId)) return [];
    const ids = order.purchase_units.flatMap(({ payments }) => payments?.captures ?? []).map(({ id }) => id);
    if (ids.length > 0) captured.set(reference.id, true);
    const found: ObservedPayment[] = [];
    for (const id of ids) {
      const one = await paypal.read(`/v2/payments/captures/${id}`, shapes.capture);
      if (!one) throw new Unreachable('PayPal names a capture that it does not know');
      const observedPayment = observedPaymentOf(reference, order, one);
      if (observedPayment) found.push(observedPayment);
    }
    return found;
  }

  return {
    checkAccount: (_currency, fields) => checkAccount(fields),
    instruct: (_currency, index) => ({ to: context.reference(index) }),
    uri: () => '',
    tip: async () => ({ height: 0, hash: '' }),
    observe: observeEach(TOGETHER, poll),
    isDisputed: async ({ capture: id }) => id !== undefined && isDisputed(paypal, id),
    open: async (request) => {
      try {
        const body = JSON.stringify(orderOf(request, config, context));
        return openedOf(await paypal.post('/v2/checkout/orders', body, request.to));
      } catch (error) {
        if (error instanceof Unreachable) return { ok: false, reason: 'unavailable', detail: error.message };
        throw error;
      }
    },
  };
}

async function readOrder(paypal: PayPal, id: string): Promise<shapes.PayPalOrder | undefined> {
  return paypal.read(`/v2/checkout/orders/${encodeURIComponent(id)}`, shapes.order);
}

/**
 * Captures an approved order. The answer is ignored, since the order may have been captured before: the caller reads the order
 * again. PayPal captures an order once under any request id. The id includes the order's `update_time`, so that a payer who
 * approves again after a declined card doesn't get the old refusal.
 */
async function capture(
  paypal: PayPal,
  { id = '', to }: ReceivingAddress,
  { update_time: at = '' }: shapes.PayPalOrder,
): Promise<void> {
  const requestId = `${to}-capture-${at.replaceAll(/\D/g, '')}`;
  await paypal.post(`/v2/checkout/orders/${encodeURIComponent(id)}/capture`, '{}', requestId);
}

/** Returns the request for an order (Orders v2, `order_request`). The order and its capture contain our reference. */
function orderOf(
  { currency, to, amount, label, back, locale }: OpenRequest,
  config: PayPalSettings,
  context: ProviderContext,
): unknown {
  const code = codeOf(currency);
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        amount: { currency_code: code, value: valueOf(amount, code) },
        custom_id: to,
        // PayPal refuses a second payment with the same invoice number, unless the account's settings allow it.
        invoice_id: to,
        description: label.slice(0, 127),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: config.brand,
          locale: locale === 'ru' ? 'ru-RU' : 'en-US',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          payment_method_preference: config.immediate ? 'IMMEDIATE_PAYMENT_REQUIRED' : 'UNRESTRICTED',
          return_url: context.siteUrl(back.success),
          cancel_url: context.siteUrl(back.fail),
        },
      },
    },
  };
}

function openedOf(reply: Reply): Opened {
  const no = refusalOf(reply);
  if (no) return { ok: false, reason: 'refused', detail: no.reason };
  if (reply.status !== 200 && reply.status !== 201) return { ok: false, reason: 'unavailable', detail: `status ${reply.status}` };
  const { id, status, links } = jsonOf(reply, shapes.opened);
  const link = links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve');
  if (!link || !/^https?:\/\//.test(link.href))
    return { ok: false, reason: 'unavailable', detail: `an order in ${status} without a page` };
  return { ok: true, id, way: { kind: 'redirect', method: 'GET', url: link.href, fields: {} } };
}
