import { createHmac } from 'node:crypto';
import { format } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import { type ProviderContext, equalText, formOf, sha256Hex } from '../provider/index.ts';
import type { Webhook, WebhookProof, OpenRequest, PayWay } from '../rail.ts';
import { LARGEST_NUMBER, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';

/**
 * WebMoney's merchant service: the form, the question before a payment and the notice after it (WebMoney's wiki, "Web Merchant
 * Interface"). The hash was checked against a published message.
 */

type Form = Readonly<Record<string, string>>;

/** Returns the form that a customer's browser posts. The signature covers the amount's text, which has no trailing zeros. */
export function formFor(
  settings: WebMoneySettings,
  context: ProviderContext,
  { purse, secretX20 }: WebMoneyCurrency,
  { amount, to, label, back, until }: OpenRequest,
): PayWay {
  const sum = format(amount, 0);
  const end = until.toISOString();
  return {
    kind: 'redirect',
    method: 'POST',
    url: settings.merchant,
    fields: {
      LMI_PAYEE_PURSE: purse,
      LMI_PAYMENT_AMOUNT: sum,
      LMI_PAYMENT_NO: to,
      LMI_PAYMENT_DESC_BASE64: Buffer.from(label, 'utf8').toString('base64'),
      LMI_RESULT_URL: context.webhookUrl,
      LMI_SUCCESS_URL: context.siteUrl(back.success),
      LMI_SUCCESS_METHOD: '2',
      LMI_FAIL_URL: context.siteUrl(back.fail),
      LMI_FAIL_METHOD: '2',
      LMI_PAYMENTFORM_SIGN: sha256Hex(`${purse};${sum};${to};${secretX20};`),
      KURS_UNTIL: end,
      KURS_SIGN: ownSign(secretX20, [purse, sum, to, end]),
    },
  };
}

/**
 * Returns our own signature of a form: purse, amount, number and end of the wait. WebMoney sends it back with the question before
 * a payment, which has no hash of WebMoney's. This process stores no references, so only the signature proves them.
 */
const ownSign = (secretX20: string, values: readonly string[]): string =>
  createHmac('sha256', secretX20)
    .update(`kurs;${values.join(';')}`)
    .digest('hex');

const SIGNED_AFTER_AMOUNT = ['LMI_PAYMENT_NO', 'LMI_MODE', 'LMI_SYS_INVS_NO', 'LMI_SYS_TRANS_NO', 'LMI_SYS_TRANS_DATE'] as const;
const UNPROVEN: WebhookProof = { isProven: false };

/** Returns true for the question before a payment. `YES` lets the payment happen; the question itself is no payment. */
const isQuestion = (form: Form): boolean => form['LMI_PREREQUEST'] === '1';

/**
 * Proves a message about one of our purses and numbers. A question is proved by our own signature, until its reference ends. A
 * notice is proved by `LMI_HASH2`; `LMI_HASH` has no separators, so that two messages may share it. Test payments are never
 * proven.
 */
export function proofOf(
  settings: WebMoneySettings,
  currencies: readonly WebMoneyCurrency[],
  { raw }: Webhook,
  now: Date = wallClock(),
): WebhookProof {
  const form = formOf(raw);
  const currency = currencies.find(({ purse }) => purse === form?.['LMI_PAYEE_PURSE']);
  if (!form || !currency) return UNPROVEN;
  const to = form['LMI_PAYMENT_NO'] ?? '';
  const isTest = (form['LMI_MODE'] ?? '0') !== '0';
  if (isTest || !isNumber(settings, to)) return UNPROVEN;
  const isProven = isQuestion(form) ? isOpen(currency, form, now) : hasHash(currency, form);
  return isProven ? { isProven: true, to } : UNPROVEN;
}

/** Returns the answer for WebMoney: `YES` to a question about our open reference and to a stored notice, otherwise `NO`. */
export const replyTo = (proof: WebhookProof): { type: string; body: string } => ({
  type: 'text/plain; charset=utf-8',
  body: proof.isProven ? 'YES' : 'NO',
});

function hasHash({ secretKey }: WebMoneyCurrency, form: Form): boolean {
  const hold = form['LMI_HOLD'] ?? '';
  const values = [
    form['LMI_PAYEE_PURSE'],
    form['LMI_PAYMENT_AMOUNT'],
    ...(hold === '' ? [] : [hold]),
    ...SIGNED_AFTER_AMOUNT.map((name) => form[name]),
    secretKey,
    form['LMI_PAYER_PURSE'],
    form['LMI_PAYER_WM'],
  ];
  if (values.includes(undefined) || values.includes('')) return false;
  return equalText(form['LMI_HASH2'] ?? '', sha256Hex(values.join(';')).toUpperCase());
}

function isOpen({ purse, secretX20 }: WebMoneyCurrency, form: Form, now: Date): boolean {
  const { LMI_PAYMENT_AMOUNT: sum = '', LMI_PAYMENT_NO: to = '', KURS_UNTIL: until = '', KURS_SIGN: sign = '' } = form;
  return equalText(sign, ownSign(secretX20, [purse, sum, to, until])) && now < new Date(until);
}

/** Returns true if a text is a possible number of our payments. */
function isNumber({ firstNumber }: WebMoneySettings, text: string): boolean {
  if (!/^[1-9]\d{0,9}$/.test(text)) return false;
  const number = BigInt(text);
  return number >= BigInt(firstNumber) && number <= BigInt(LARGEST_NUMBER);
}
