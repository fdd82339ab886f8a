import { format } from '@kurs/money';
import { type ProviderContext, equalText, formOf, sha256Hex } from '../provider/index.ts';
import type { Webhook, WebhookProof, OpenRequest, PayWay } from '../rail.ts';
import type { VoletCurrency, VoletSettings } from './config.ts';

/**
 * Volet's payment form for shops (SCI): fields and signatures as public integrations build them. The customer's browser posts the
 * form; the provider is not called beforehand.
 */

/**
 * Returns the form that a customer's browser posts. Its amount has two digits and no group separators: the signature covers that
 * text.
 */
export function formFor(
  settings: VoletSettings,
  context: ProviderContext,
  currency: VoletCurrency,
  request: OpenRequest,
): PayWay {
  const { account, sciName, sciPassword } = settings;
  const amount = format(request.amount);
  return {
    kind: 'redirect',
    method: 'POST',
    url: settings.sci,
    fields: {
      ac_account_email: account,
      ac_sci_name: sciName,
      ac_amount: amount,
      ac_currency: currency.wire,
      ac_order_id: request.to,
      ac_sign: sha256Hex([account, sciName, amount, currency.wire, sciPassword, request.to].join(':')),
      ac_comments: request.label,
      ac_success_url: context.siteUrl(request.back.success),
      ac_success_url_method: 'GET',
      ac_fail_url: context.siteUrl(request.back.fail),
      ac_fail_url_method: 'GET',
      ac_status_url: context.webhookUrl,
      ac_status_url_method: 'POST',
      ac_client_lang: request.locale,
    },
  };
}

const SIGNED = [
  'ac_transfer',
  'ac_start_date',
  'ac_sci_name',
  'ac_src_wallet',
  'ac_dest_wallet',
  'ac_order_id',
  'ac_amount',
  'ac_merchant_currency',
] as const;
const AMOUNT = /^\d+(\.\d+)?$/;
const REFERENCE = /^[0-9A-Z]{16}$/;
const UNPROVEN: WebhookProof = { isProven: false };

/**
 * Proves a message of the SCI: first by `ac_hash` over the fields as received, then by our shop, wallet and currency. Status and
 * fee are not in the hash, so they are not trusted: the look-up shows them.
 */
export function proofOf(settings: VoletSettings, currencies: readonly VoletCurrency[], { raw }: Webhook): WebhookProof {
  const form = formOf(raw);
  if (!form) return UNPROVEN;
  const values = SIGNED.map((name) => form[name] ?? '');
  if (values.includes('')) return UNPROVEN;
  const signed = [...values, settings.sciPassword].join(':');
  if (!equalText(form['ac_hash'] ?? '', sha256Hex(signed))) return UNPROVEN;
  const currency = currencies.find(({ wire }) => wire === form['ac_merchant_currency']);
  const isOurs = form['ac_sci_name'] === settings.sciName && form['ac_dest_wallet'] === currency?.wallet;
  const to = form['ac_order_id'] ?? '';
  return isOurs && AMOUNT.test(form['ac_amount'] ?? '') && REFERENCE.test(to) ? { isProven: true, to } : UNPROVEN;
}
