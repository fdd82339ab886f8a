import { createHash, randomInt } from 'node:crypto';
import type { Form, Message } from '../provider/index.ts';
import { type Bank, Denied, type Transfer, hundredths } from './bank.ts';

/** Forms and messages of the merchant service, by its wiki. */

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
const PATIENCE_MS = 10_000;

/** Returns the error of a shop's form in words; undefined for a valid one. */
export function faultOf(bank: Bank, form: Form): string | undefined {
  const { LMI_PAYEE_PURSE: purse = '', LMI_PAYMENT_AMOUNT: amount = '', LMI_PAYMENT_NO: number = '' } = form;
  const desk = bank.deskPurse(purse);
  if (!desk) return 'No shop has this purse.';
  if (!/^[1-9]\d{0,9}$/.test(number) || BigInt(number) > 2_147_483_647n) return 'The payment has no number.';
  try {
    hundredths(amount);
  } catch (error) {
    if (error instanceof Denied) return 'This is no amount.';
    throw error;
  }
  const sign = sha256(`${purse};${amount};${number};${desk.secretX20};`);
  if ((form['LMI_PAYMENTFORM_SIGN'] ?? '').toLowerCase() !== sign) return 'The signature of the form does not fit.';
  return bank.paymentOf(purse, number) ? 'A payment with this number was made already.' : undefined;
}

/** Returns the shop's own fields of a form, which each message repeats. */
const ownOf = (form: Form): Form => Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith('LMI_')));

/** True if the shop accepts this payment: it must answer `YES`. */
export async function isWelcome(form: Form, payer: { purse: string; wmid: string }): Promise<boolean> {
  const { LMI_PAYEE_PURSE = '', LMI_PAYMENT_AMOUNT = '', LMI_PAYMENT_NO = '', LMI_RESULT_URL: url = '' } = form;
  const fields = {
    ...{ LMI_PREREQUEST: '1', LMI_MODE: '0', LMI_PAYEE_PURSE, LMI_PAYMENT_AMOUNT, LMI_PAYMENT_NO },
    ...{ LMI_PAYER_PURSE: payer.purse, LMI_PAYER_WM: payer.wmid, ...ownOf(form) },
  };
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', signal });
    return response.status === 200 && (await response.text()).trim() === 'YES';
  } catch {
    return false;
  }
}

/** Returns the notice of a payment. `mode` 1 is a test, which moves no money. */
export function noticeOf(bank: Bank, form: Form, paid: Transfer, mode = '0'): Message | undefined {
  const desk = bank.deskPurse(paid.to);
  const url = form['LMI_RESULT_URL'] ?? '';
  if (!desk || url === '') return undefined;
  const fields = {
    LMI_MODE: mode,
    LMI_PAYMENT_AMOUNT: paid.amount,
    LMI_PAYEE_PURSE: paid.to,
    LMI_PAYMENT_NO: paid.number ?? '',
    LMI_PAYER_WM: bank.purse(paid.from)?.wmid ?? '',
    LMI_PAYER_PURSE: paid.from,
    LMI_PAYER_COUNTRYID: 'XX',
    LMI_PAYER_IP: '192.0.2.1',
    LMI_SYS_INVS_NO: paid.invoice ?? `${randomInt(1e9)}`,
    LMI_SYS_TRANS_NO: paid.id,
    LMI_SYS_TRANS_DATE: moscow(paid.at),
    ...(paid.hold !== undefined && { LMI_HOLD: paid.hold }),
    ...ownOf(form),
  };
  const values = [
    ...[fields.LMI_PAYEE_PURSE, fields.LMI_PAYMENT_AMOUNT, ...(paid.hold === undefined ? [] : [paid.hold])],
    ...[fields.LMI_PAYMENT_NO, fields.LMI_MODE, fields.LMI_SYS_INVS_NO, fields.LMI_SYS_TRANS_NO],
    ...[fields.LMI_SYS_TRANS_DATE, desk.secretKey, fields.LMI_PAYER_PURSE, fields.LMI_PAYER_WM],
  ];
  const hashes = { LMI_HASH: sha256(values.join('')).toUpperCase(), LMI_HASH2: sha256(values.join(';')).toUpperCase() };
  const bodyWith = (more: Form): string => new URLSearchParams({ ...fields, ...more }).toString();
  const forged = bodyWith({ ...hashes, LMI_HASH2: sha256(hashes.LMI_HASH2).toUpperCase() });
  return { url, headers: URLENCODED, body: bodyWith(hashes), forged: { headers: URLENCODED, body: forged } };
}

/** Writes a time by Moscow's clock: `20261122 13:00:00`. */
export function moscow(moment: string): string {
  const text = new Date(new Date(moment).getTime() + 3 * 3_600_000).toISOString();
  return `${text.slice(0, 10).replaceAll('-', '')} ${text.slice(11, 19)}`;
}
