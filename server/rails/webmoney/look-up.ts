import { Unreachable, callProvider, sha256Hex } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { oneOf, textOf, xmlWithAttributes } from '../provider/xml.ts';
import { SCALE, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';

/** A payment to one of our purses, by interface X18. */
export interface MerchantPayment {
  readonly id: string;
  readonly parts: bigint;
  readonly at: Date;
  readonly from: string;
  /** True if the payer made the payment wait: it is ours once it is confirmed or the days of the hold are over. */
  readonly isHeld: boolean;
}

/** Type of the number in a request: our own (1), not WebMoney's number of an invoice (2) or of a transfer (3). */
const BY_OUR_NUMBER = '1';
/** Codes without a payment: unknown (7, 8), not paid yet (9), rejected (13). */
const NOT_PAID = new Set(['7', '8', '9', '13']);
const OPERDATE = /^(\d{4})(\d{2})(\d{2}) (\d{2}:\d{2}:\d{2})$/;

/**
 * Returns the payment with a number; undefined if there is none. The request is authenticated by the purse's key: `sha256` over
 * WMID, purse, number and key without separators. Throws `Unreachable` for every other answer.
 */
export async function merchantPayment(
  { lookUp, wmid }: WebMoneySettings,
  { purse, secretKey }: WebMoneyCurrency,
  number: string,
): Promise<MerchantPayment | undefined> {
  const body =
    `<merchant.request><wmid>${wmid}</wmid><lmi_payee_purse>${purse}</lmi_payee_purse>` +
    `<lmi_payment_no>${number}</lmi_payment_no><lmi_payment_no_type>${BY_OUR_NUMBER}</lmi_payment_no_type>` +
    `<sha256>${sha256Hex(`${wmid}${purse}${number}${secretKey}`)}</sha256></merchant.request>`;
  const headers = { 'content-type': 'application/xml; charset=utf-8' };
  const { status, text } = await callProvider(new URL(lookUp), { method: 'POST', headers, body });
  const response = oneOf(xmlWithAttributes(text), 'merchant.response');
  const retval = textOf(response, 'retval');
  if (status !== 200 || (retval !== '0' && !NOT_PAID.has(retval))) throw new Unreachable(`X18 says ${retval || status}`);
  if (retval !== '0') return undefined;
  const operation = oneOf(response, 'operation');
  const id = textOf(operation, '@wmtransid');
  if (id === '' || id === '0') throw new Unreachable('X18: a payment without a transfer');
  return {
    id,
    parts: partsRead(textOf(operation, 'amount'), SCALE),
    at: momentOf(textOf(operation, 'operdate')),
    from: textOf(operation, 'pursefrom'),
    isHeld: !['', '0'].includes(textOf(operation, 'hold_period')),
  };
}

/** Reads a time such as `20261122 10:00:00`, which is Moscow's. Throws `Unreachable` for any other text. */
function momentOf(text: string): Date {
  const [, year, month, day, time] = OPERDATE.exec(text) ?? [];
  const moment = new Date(`${year}-${month}-${day}T${time}+03:00`);
  if (Number.isNaN(moment.getTime())) throw new Unreachable('X18: a moment that is none');
  return moment;
}
