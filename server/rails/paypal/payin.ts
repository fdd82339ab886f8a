import { codeOf, valueOf } from './amounts.ts';
import type { AccountCheck, Fields, OpenRequest, Opened, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { type ProviderContext, type Reply, Unreachable, checkEmail, jsonOf, observeEach } from '../provider/index.ts';
import { type PayPal, refusalOf } from './client.ts';
import type { PayPalSettings } from './config.ts';
import { Recent } from './newest-by-key.ts';
import * as shapes from './shapes.ts';
import { isOurs, observedPaymentOf } from './observed-payments.ts';

/** The longest receiver that PayPal takes (Payouts v1, `receiver`). */
const LONGEST = 127;
const CAPTURE = /^[A-Za-z0-9-]{1,60}$/;
/** Orders that are looked at together in one call. */
const TOGETHER = 4;
const REMEMBERED = 50_000;

/**
 * An account is an e-mail address; spaces around it and large letters make no other. A refund's is the capture that it gives
 * back, which no customer is asked for: only an observed payment of ours names one.
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

/** Taking payments: an order at PayPal per reference, captured when its payer has approved it and somebody still waits. */
export function paypalPayin(
  paypal: PayPal,
  config: PayPalSettings,
  context: ProviderContext,
): Omit<Payin, 'check'> & Required<Pick<Payin, 'open'>> {
  /** Orders that were seen with a capture: PayPal forgetting one of these proves nothing. */
  const captured = new Recent<true>(REMEMBERED);

  async function poll(reference: ReceivingAddress): Promise<ObservedPayment[]> {
    if (reference.id === undefined) return [];
    let order = await readOrder(paypal, reference.id);
    if (order?.status === 'APPROVED' && reference.wanted === true && isOurs(reference, order, config.merchantId)) {
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
 * Takes the money. Whatever is answered, the order read anew says what came of it: it may have been captured before. An order
 * is captured once, whatever the request's id; the id changes with the order, so that a payer whose card was declined and
 * who approved again isn't answered with the old refusal.
 */
async function capture(
  paypal: PayPal,
  { id = '', to }: ReceivingAddress,
  { update_time: at = '' }: shapes.PayPalOrder,
): Promise<void> {
  const requestId = `${to}-capture-${at.replaceAll(/\D/g, '')}`;
  await paypal.post(`/v2/checkout/orders/${encodeURIComponent(id)}/capture`, '{}', requestId);
}

/** The request for an order (Orders v2, `order_request`): our reference is what it and its capture carry. */
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
        // PayPal refuses a second payment with the same invoice number (unless the account says otherwise).
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
