// Previews a payment: the buyer's amount by each method now, and the store's sum. Nothing is stored.

import type { Input, Output, Routes } from '@kurs/contract';
import { money, scaleBy } from '@kurs/money';
import type { Db } from '../../platform/index.ts';
import { latest } from '../../rates/index.ts';
import { methodContext } from '../actions/choose-method.ts';
import { termsFor } from '../actions/make-invoice.ts';
import { businessById } from '../businesses/business-store.ts';
import type { Invoice, InvoiceTerms } from '../invoices/invoice.ts';
import { converted } from '../invoices/option-price.ts';
import { sumText } from '../wire/sum-text.ts';
import { minFeeIn } from '../methods/current-price.ts';
import { type Method, byCost, methodOf } from '../methods/methods.ts';
import { takesReversible } from '../stores/currencies.ts';
import { openStore } from '../stores/store-rows.ts';
import { unitMoney } from '../wire/amounts.ts';
import { methodWire } from './pay-wire.ts';

type Preview = Output<Routes['storePreview']>;

/**
 * Returns the methods of a store with the amounts that pay a sum, cheapest first. Throws `validation` for a sum or a currency that
 * no invoice can have.
 */
export async function previewOf(
  db: Db,
  { store: id, ...wanted }: Input<Routes['storePreview']>,
  locale: 'en' | 'ru',
): Promise<Preview> {
  const store = await openStore(db, id);
  const terms = termsFor(store, wanted, takesReversible(store, await businessById(db, store.businessId)));
  const view: Pick<Invoice, 'store' | 'terms'> = {
    ...{ terms, store: { id: store.id, businessId: store.businessId, holderId: store.holderId } },
  };
  const given = await methodContext(db, { store, terms }, terms.amount, await db.now());
  const methods = terms.methods.flatMap((code) => methodOf(terms, code, given) ?? []);
  return {
    ...{ amount: sumText(terms, terms.amount ?? 0n), currency: terms.currency, costs_bearer: store.costsBearer },
    settlement_currency: terms.settlement.currency,
    methods: byCost(methods).map((method) => ({ ...methodWire(view, method, locale), ...receivedBy(terms, method) })),
  };
}

/** Returns what the store receives by a method, and the desk's fee. */
function receivedBy(
  { settlement, fee: share }: InvoiceTerms,
  { price, parts, closed }: Method,
): Pick<Preview['methods'][number], 'received' | 'fee'> {
  const snapshot = latest();
  const result = price && parts !== undefined ? converted(price, parts) : undefined;
  if (!result || !snapshot || closed) return {};
  const { unit } = settlement;
  const [part, least] = [scaleBy(money(unit, result.got), share, 'up').parts, minFeeIn(snapshot, unit)];
  const fee = part > least ? part : least;
  return { received: unitMoney(unit, result.got > fee ? result.got - fee : 0n), fee: unitMoney(unit, fee) };
}
