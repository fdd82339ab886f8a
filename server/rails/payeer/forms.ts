import { format } from '@kurs/money';
import { equalText, formOf, sha256Hex } from '../provider/index.ts';
import type { Webhook, WebhookProof, Fields, OpenRequest } from '../rail.ts';
import { CURRENCIES, type PayeerSettings } from './config.ts';

/** Payeer's number for its own balance in the list of payment methods. */
const OWN_BALANCE = '2609';
const REFERENCE = /^[A-Za-z0-9_-]{1,64}$/;
/** Fields that a message's signature covers, in this order (Payeer's module for PrestaShop, `status.php`). */
const SIGNED = [
  'm_operation_id',
  'm_operation_ps',
  'm_operation_date',
  'm_operation_pay_date',
  'm_shop',
  'm_orderid',
  'm_amount',
  'm_curr',
  'm_desc',
  'm_status',
];

/** Returns Payeer's signature: SHA-256 of the values and the shop's secret, joined by colons, in upper-case hex. */
const signatureOf = (values: readonly string[], secret: string): string => sha256Hex([...values, secret].join(':')).toUpperCase();

/**
 * Returns the form that a customer's browser posts to Payeer, signed with the shop's secret; undefined for a currency that isn't
 * Payeer's. The shop's settings at Payeer name the pages to which the browser returns.
 */
export function paymentForm(settings: PayeerSettings, request: OpenRequest): Fields | undefined {
  const currency = CURRENCIES.get(request.currency);
  if (currency === undefined) return undefined;
  const amount = format(request.amount);
  const description = Buffer.from(request.label, 'utf8').toString('base64');
  return {
    m_shop: settings.shop,
    m_orderid: request.to,
    m_amount: amount,
    m_curr: currency,
    m_desc: description,
    m_sign: signatureOf([settings.shop, request.to, amount, currency, description], settings.secret),
    m_process: 'send',
    // Only payments from a Payeer account are accepted: others can't be returned to their source.
    'form[ps]': OWN_BALANCE,
    [`form[curr[${OWN_BALANCE}]]`]: currency,
    lang: request.locale,
  };
}

/** Proves a message of Payeer by its own bytes: its signature, and that it names our shop and one of our currencies. */
export function checkMessage(settings: PayeerSettings, { raw }: Webhook): WebhookProof {
  const form = formOf(raw);
  const values = SIGNED.map((name) => form?.[name]);
  if (!form || !values.every((value) => value !== undefined)) return { isProven: false };
  // A message repeats additional fields (`m_params`) only if our form had any. The signature then covers them too.
  const params = form['m_params'] === undefined ? [] : [form['m_params']];
  const isSigned = equalText(signatureOf([...values, ...params], settings.secret), form['m_sign'] ?? '');
  const isOurs = form['m_shop'] === settings.shop && [...CURRENCIES.values()].includes(form['m_curr'] ?? '');
  if (!isSigned || !isOurs || !REFERENCE.test(form['m_orderid'] ?? '')) return { isProven: false };
  return { isProven: true, to: form['m_orderid'] as string };
}

/** Returns the answer that Payeer expects: our reference, and if the message was accepted. Otherwise Payeer sends it again. */
export function answerTo({ raw }: Webhook, { isProven }: WebhookProof): { type: string; body: string } {
  const reference = formOf(raw)?.['m_orderid'] ?? '';
  return { type: 'text/plain', body: `${REFERENCE.test(reference) ? reference : ''}|${isProven ? 'success' : 'error'}` };
}
