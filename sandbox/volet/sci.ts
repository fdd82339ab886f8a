import { createHash } from 'node:crypto';
import type { Form, Message } from '../provider/index.ts';
import { type Bank, CURRENCIES, type Movement, hundredths } from './bank.ts';

/** Shop's form and the message after it, with the signatures of Volet's documents (sha256 in hex of values joined by colons). */

const sha256 = (...values: readonly string[]): string => createHash('sha256').update(values.join(':')).digest('hex');

/** Returns the error of a shop's form in words; undefined for a valid one. */
export function faultOf({ desk, paymentOf }: Pick<Bank, 'desk' | 'paymentOf'>, form: Form): string | undefined {
  const { ac_account_email: email, ac_sci_name: name, ac_currency: currency = '' } = form;
  const { ac_amount: amount = '', ac_order_id: order = '', ac_sign: sign = '' } = form;
  if (email !== desk.email || name !== desk.sciName) return 'There is no such shop.';
  if (!CURRENCIES[currency]) return 'The shop takes no such currency.';
  if (!/^\d+\.\d{2}$/.test(amount) || hundredths(currency, amount) <= 0n) return 'This is no amount.';
  if (order === '' || order.length > 128) return 'The order has no number.';
  if (sign.toLowerCase() !== sha256(email, name, amount, currency, desk.sciPassword, order)) return 'The signature does not fit.';
  return paymentOf(order) ? 'This order is paid already.' : undefined;
}

/** Returns the message that notifies the shop of a payment; undefined if the form names no address for it. */
export function messageOf({ desk }: Bank, form: Form, paid: Movement, buyer: string): Message | undefined {
  const url = form['ac_status_url'];
  if (url === undefined || url === '') return undefined;
  const fields = {
    ac_transfer: paid.id,
    ac_start_date: paid.startedAt.replace('T', ' ').slice(0, 19),
    ac_sci_name: desk.sciName,
    ac_src_wallet: paid.from,
    ac_dest_wallet: paid.to,
    ac_order_id: paid.orderId ?? '',
    ac_amount: paid.amount,
    ac_merchant_amount: paid.amount,
    ac_merchant_currency: paid.currency,
    ac_fee: paid.fee,
    ac_buyer_amount_without_commission: paid.amount,
    ac_buyer_amount_with_commission: paid.amount,
    ac_buyer_currency: paid.currency,
    ac_ps: 'ADVANCED_CASH',
    ac_transaction_status: paid.status,
    ac_buyer_email: buyer,
    ac_buyer_verified: 'false',
    ac_comments: form['ac_comments'] ?? '',
  };
  const hash = sha256(
    ...[fields.ac_transfer, fields.ac_start_date, fields.ac_sci_name, fields.ac_src_wallet, fields.ac_dest_wallet],
    ...[fields.ac_order_id, fields.ac_amount, fields.ac_merchant_currency, desk.sciPassword],
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const bodyWith = (ac_hash: string): string => new URLSearchParams({ ...fields, ac_hash }).toString();
  return { url, headers, body: bodyWith(hash), forged: { headers, body: bodyWith(sha256(hash)) } };
}
