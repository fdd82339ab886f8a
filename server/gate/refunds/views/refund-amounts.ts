// The amounts of an invoice that can be refunded, side by side, each with what it takes from the balance.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { accounts, balance } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/index.ts';
import { freeBalance } from '../../free-balance.ts';
import { sumText } from '../../wire/sum-text.ts';
import { requireAsStored } from '../../rows/invoice-mac.ts';
import { readInvoice } from '../../rows/invoice-rows.ts';
import { unitMoney } from '../../wire/amounts.ts';
import { inUnit, refundableOf } from '../actions/refundable.ts';

/** Returns the amounts of an invoice of a store. Throws `invoice_unknown` and `record_altered`. */
export async function refundAmountsView(
  db: Db,
  { store, invoice: id }: { readonly store: string; readonly invoice: string },
): Promise<Output<Routes['refundAmounts']>> {
  const { view } = requireAsStored(await readInvoice(db, id));
  if (view.store.id !== store) throw new Problem('invoice_unknown');
  const { terms } = view;
  const { unit } = terms.settlement;
  const { paid, worth, refunded, most, over } = await refundableOf(db, view);
  const [whole, free] = [await balance(db, accounts.merchant(store, unit)), await freeBalance(db, store, unit)];
  const option = (parts: bigint) => {
    const takes = takenBy(terms.currency, parts, unit);
    const open = parts > 0n && parts <= most && (takes ?? free) <= free;
    return { amount: sumText(terms, parts), open, ...(takes !== undefined && { takes: unitMoney(unit, takes) }) };
  };
  return {
    ...{ currency: terms.currency, paid: option(paid), refunded: sumText(terms, refunded), most: option(most) },
    ...(worth !== undefined && { worth: option(worth) }),
    over: over.map((one) => unitMoney(one.unit, one.parts)),
    ...{ balance: unitMoney(unit, whole), free: unitMoney(unit, free > 0n ? free : 0n) },
  };
}

function takenBy(currency: string, parts: bigint, unit: string): bigint | undefined {
  try {
    return inUnit(currency, parts, unit);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
