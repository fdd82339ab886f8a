import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { sumText } from '../wire/sum-text.ts';
import { worthOf } from './entries.ts';
import type { BookedEntry } from './read-moves.ts';

type EntryWire = Output<Routes['storeEntries']>['entries'][number];

/** Formats parts of a unit, which may be below zero. */
export const signedText = (unit: string, parts: bigint): string =>
  parts < 0n ? `-${format(money(unit, -parts))}` : format(money(unit, parts));

/** Returns an entry in the form of the API. */
export function entryWire(entry: BookedEntry): EntryWire {
  const { id, at, kind, account, unit, gross, net, balance, reserve } = entry;
  return {
    ...{ id, at: at.toISOString(), kind, account, currency: unit },
    ...{ gross: signedText(unit, gross), net: signedText(unit, net) },
    ...{ balance: signedText(unit, balance), reserve: signedText(unit, reserve) },
    ...invoiceFields(entry),
  };
}

/** Returns the fields of an entry that its invoice has, and the entry's worth in the invoice's currency. */
function invoiceFields(entry: BookedEntry): Partial<EntryWire> {
  const { invoice } = entry;
  if (!invoice) return {};
  const { view, number, orderId, details } = invoice;
  const { terms } = view;
  const worth = worthOf(entry);
  const sign = worth && worth.parts < 0n ? '-' : '';
  return {
    invoice: { id: view.id, number },
    ...(orderId !== undefined && { order_id: orderId }),
    ...(terms.amount !== undefined && { invoice_amount: sumText(terms, terms.amount) }),
    invoice_currency: terms.currency,
    ...(details.tax !== undefined && { tax: details.tax }),
    ...(worth && { rate: worth.rate, worth: sign + sumText(terms, worth.parts < 0n ? -worth.parts : worth.parts) }),
  };
}
