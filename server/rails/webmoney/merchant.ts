import { createHmac } from 'node:crypto';
import { format } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import { type ProviderContext, equalText, formOf, sha256Hex } from '../provider/index.ts';
import type { Webhook, WebhookProof, OpenRequest, PayWay } from '../rail.ts';
import { LARGEST_NUMBER, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';

/**
 * WebMoney's merchant service: the form, the question before a payment and the message after it (wiki: Web Merchant
 * Interface; the hash equals that of a message which others have published).
 */

type Form = Readonly<Record<string, string>>;

/** The form that a customer's browser posts. Amounts have no zeros at their end: the signature is over that text. */
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
 * Our own word, which travels with the form: this purse, amount and number are open until then. The question before a
 * payment carries no hash of WebMoney's, and this process remembers no references.
 */
const ownSign = (secretX20: string, values: readonly string[]): string =>
  createHmac('sha256', secretX20)
    .update(`kurs;${values.join(';')}`)
    .digest('hex');

const SIGNED_AFTER_AMOUNT = ['LMI_PAYMENT_NO', 'LMI_MODE', 'LMI_SYS_INVS_NO', 'LMI_SYS_TRANS_NO', 'LMI_SYS_TRANS_DATE'] as const;
const UNPROVEN: WebhookProof = { proven: false };

/** Whether it is the question before a payment, to which `YES` lets it happen. It says nothing of money. */
const isQuestion = (form: Form): boolean => form['LMI_PREREQUEST'] === '1';

/**
 * Proves a message. The question by our own signature, while its reference is open; the notice by `LMI_HASH2` (`LMI_HASH` joins
 * with nothing, so that two messages may share it), then our purse and number. Test payments are never ours.
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
  return isProven ? { proven: true, to } : UNPROVEN;
}

/** What WebMoney reads: `YES` to a question about an open reference of ours, and to a notice that was kept. */
export const replyTo = (proof: WebhookProof): { type: string; body: string } => ({
  type: 'text/plain; charset=utf-8',
  body: proof.proven ? 'YES' : 'NO',
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

/** Whether a text is one of our payments' numbers. */
function isNumber({ firstNumber }: WebMoneySettings, text: string): boolean {
  if (!/^[1-9]\d{0,9}$/.test(text)) return false;
  const number = BigInt(text);
  return number >= BigInt(firstNumber) && number <= BigInt(LARGEST_NUMBER);
}
