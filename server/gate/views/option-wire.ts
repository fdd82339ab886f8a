import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { currencyOf, isPrepared, paymentCode, paymentUri } from '../../payments/index.ts';
import { type Invoice, type PaymentOption, isUnfinished } from '../invoices/invoice.ts';
import { askedBy, currentOption } from '../invoices/options.ts';
import { amountFor } from '../invoices/option-price.ts';
import { sumText } from '../wire/sum-text.ts';

type OptionWire = NonNullable<Output<Routes['paymentInvoice']>['option']>;

/**
 * Returns the payment option that the buyer has now in the form of the API, for the sum that is still due. Undefined if there is
 * none, for a marked invoice, once the sum that it was chosen for has come or is on its way, and once a payment system's
 * reference was used.
 */
export function currentOptionWire(invoice: Invoice, now: Date): OptionWire | undefined {
  const option = isUnfinished(invoice) && invoice.mark === undefined ? currentOption(invoice) : undefined;
  if (!option) return undefined;
  const asked = askedBy(invoice, option);
  const isUsed = invoice.payments.some(({ optionId, stage }) => optionId === option.id && stage !== 'dropped');
  if (asked !== undefined && (asked <= 0n || (isUsed && isPrepared(option.currency)))) return undefined;
  const parts = asked === undefined || asked === option.pays ? option.parts : amountFor(option.price, asked);
  return optionWire(invoice, { ...option, parts, pays: asked }, now);
}

/** Returns a payment option in the form of the API. */
function optionWire({ terms }: Invoice, option: PaymentOption, now: Date): OptionWire {
  const { currency, unit, parts, pays, lockUntil } = option;
  const info = currencyOf(currency);
  const common = {
    ...{ method: currency, network: info?.network ?? '', currency, expires_at: lockUntil.toISOString() },
    ...(parts !== undefined && { amount: format(money(unit, parts), info?.payDigits ?? 0) }),
    ...(pays !== undefined && { pays: sumText(terms, pays) }),
  };
  const isOver = now >= lockUntil;
  if (!isPrepared(currency)) {
    return { ...common, status: isOver ? 'over' : 'open', kind: 'address', ...(!isOver && addressOf(option)) };
  }
  const { way } = option;
  if (way === 'refused') return { ...common, status: 'refused', kind: 'redirect' };
  if (isOver) return { ...common, status: 'over', kind: 'redirect' };
  if (way?.kind !== 'redirect') return { ...common, status: terms.isTest ? 'open' : 'preparing', kind: 'redirect' };
  const { url, method: url_method, fields } = way;
  return { ...common, status: 'open', kind: 'redirect', url, url_method, fields: { ...fields } };
}

/** Returns where to send the amount on a chain. Without an amount the code holds the address alone. */
function addressOf({ currency, unit, parts, to, memo }: PaymentOption): Partial<OptionWire> {
  if (to === undefined) return {};
  const address = { address: to, ...(memo !== undefined && { memo }) };
  if (parts === undefined) return { ...address, code: { text: to, holds: 'address' } };
  const due = money(unit, parts);
  return { ...address, uri: paymentUri(currency, to, due), code: paymentCode(currency, to, due) };
}
