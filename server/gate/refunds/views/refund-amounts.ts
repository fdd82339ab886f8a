// The amounts of an invoice that can be refunded, side by side, each with what it takes from the balance and the reserve.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { accounts, balance } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/index.ts';
import { freeBalance } from '../../free-balance.ts';
import { sumText } from '../../wire/sum-text.ts';
import { requireAsStored } from '../../rows/invoice-mac.ts';
import { readInvoice } from '../../rows/invoice-rows.ts';
import { unitMoney } from '../../wire/amounts.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { inUnit, refundableOf } from '../actions/refundable.ts';
import { receiversOf, reserveOf, sharesOf } from '../actions/source-shares.ts';

type RefundAmounts = Output<Routes['refundAmounts']>;
type RefundOption = RefundAmounts['paid'];

/** Returns the amounts of an invoice of a store. Throws `invoice_unknown` and `record_altered`. */
export async function refundAmountsView(
  db: Db,
  { store, invoice: id }: { readonly store: string; readonly invoice: string },
): Promise<RefundAmounts> {
  const { view } = requireAsStored(await readInvoice(db, id));
  if (view.store.id !== store) throw new Problem('invoice_unknown');
  const { terms } = view;
  const { unit } = terms.settlement;
  const { paid, worth, refunded, most, over } = await refundableOf(db, view);
  const [whole, free] = [await balance(db, accounts.merchant(store, unit)), await freeBalance(db, store, unit)];
  const option = async (parts: bigint): Promise<RefundOption> => {
    const takes = await takenBy(db, view, parts);
    const isWithin = parts > 0n && parts <= most && takes !== 'too_large';
    if (takes === undefined || takes === 'too_large') return { amount: sumText(terms, parts), open: isWithin };
    const lacking = takes.balance - free;
    return {
      ...{ amount: sumText(terms, parts), open: isWithin && lacking <= 0n, takes: unitMoney(unit, takes.balance) },
      ...(takes.reserve > 0n && { takes_reserve: unitMoney(unit, takes.reserve) }),
      ...(isWithin && lacking > 0n && { lacks: unitMoney(unit, lacking) }),
    };
  };
  return {
    ...{ currency: terms.currency, paid: await option(paid), refunded: sumText(terms, refunded), most: await option(most) },
    ...(worth !== undefined && { worth: await option(worth) }),
    over: over.map((one) => unitMoney(one.unit, one.parts)),
    ...{ balance: unitMoney(unit, whole), free: unitMoney(unit, free) },
    ...receiversOf(view),
  };
}

/** Sums that a refund takes from the balance and from the reserve, in parts of the settlement unit. */
interface Taken {
  readonly balance: bigint;
  readonly reserve: bigint;
}

/**
 * Returns the sums that a refund of an amount takes; undefined while there is no rate, and `too_large` if a payment that it would go
 * back to has less left.
 */
async function takenBy(db: Db, view: Invoice, amount: bigint): Promise<Taken | 'too_large' | undefined> {
  const { currency, settlement, isTest } = view.terms;
  try {
    const parts = inUnit(currency, amount, settlement.unit);
    const reserve = isTest ? 0n : reserveOf(await sharesOf(db, view, { unit: settlement.unit, parts }));
    return { balance: parts - reserve, reserve };
  } catch (error) {
    if (error instanceof Problem) return error.code === 'refund_too_large' ? 'too_large' : undefined;
    throw error;
  }
}
