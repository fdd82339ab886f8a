// A buyer chooses the method by which they pay an invoice.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import { checkGivenAccount, currencyOf, payKindOf } from '../../payments/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { type Invoice, type PaymentOption, currentOption, dueOf, hasPayer, isPayable } from '../invoices/invoice.ts';
import { amountFor } from '../invoices/option-price.ts';
import { choose, confirmChoice } from '../invoices/steps.ts';
import { methodOf } from '../methods/methods.ts';
import { countUnpaid } from '../rows/address-rows.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice, readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settings } from '../settings.ts';
import { openStore } from '../stores/store-rows.ts';
import { parsedPositive } from '../invoices/parsed-sum.ts';
import { requireUse } from '../links/link-uses.ts';
import { sumText } from '../invoices/sum-text.ts';
import { type Chosen, makeOption, requireOpen } from './make-option.ts';

type Wanted = Pick<Input<Routes['paymentMethod']>, 'id' | 'method' | 'amount' | 'payer'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Part of a store's addresses a day that a personal store may hand out. */
const PERSONAL_PART = 25;

/**
 * Chooses a method of an invoice: locks a price and opens a place to pay. The same choice again returns the invoice unchanged
 * while its price is locked. Throws `invoice_unknown`, `record_altered`, `invoice_not_open` if nothing is due,
 * `method_closed`, `rates_unavailable`, `too_many_choices`, `unpaid_options`, `link_used_up` if the invoice's link has no use left, and `validation` on the fields.
 */
export const chooseMethod = async (db: Db, wanted: Wanted, locale: 'en' | 'ru'): Promise<StoredInvoice> =>
  (await chooseAsBuyer(db, wanted, locale)).invoice;

/** Like `chooseMethod`, for a store that names the method of its new invoice. The payer's secret stays the buyer's. */
export const chooseAsStore = async (db: Db, wanted: Wanted, locale: 'en' | 'ru'): Promise<StoredInvoice> =>
  (await chooseAs('store', db, wanted, locale)).invoice;

/** Like `chooseMethod`. `isFirst`: true if no buyer has chosen before, so that the payer's secret is the caller's. */
export const chooseAsBuyer = (db: Db, wanted: Wanted, locale: 'en' | 'ru'): Promise<ChosenAs> =>
  chooseAs('buyer', db, wanted, locale);

interface ChosenAs {
  readonly invoice: StoredInvoice;
  readonly isFirst: boolean;
}

async function chooseAs(by: 'store' | 'buyer', db: Db, wanted: Wanted, locale: 'en' | 'ru'): Promise<ChosenAs> {
  const { view } = requireAsStored(await readInvoice(db, wanted.id));
  const info = view.terms.methods.includes(wanted.method) ? currencyOf(wanted.method) : undefined;
  if (!info) throw new Problem('method_closed');
  const fields = payKindOf(info.code) === 'redirect' ? (info.payerFields ?? []) : [];
  const payer = fields.length === 0 ? {} : (await checkGivenAccount(db, info.code, wanted.payer ?? {}, 'payer', fields)).fields;
  return alone(db, async (unit) => {
    const stored = requireAsStored(await lockInvoice(unit.tx, wanted.id));
    const { due } = requirePayable(stored.view);
    const sum = stored.view.terms.stated ?? statedSum(stored.view, wanted.amount, due) ?? due;
    const isFirst = by === 'buyer' && !hasPayer(stored.view);
    const batch = new InvoiceBatch(unit, [stored]);
    if (isChosenNow(stored.view, wanted.method, sum, unit.tx.now)) {
      if (!isFirst) return { invoice: stored, isFirst };
      batch.apply(wanted.id, confirmChoice(stored.view));
      await batch.save();
      return { invoice: batch.invoice(wanted.id), isFirst };
    }
    requireChoices(stored.view, unit.tx.now);
    await requireUse(unit.tx, stored.view);
    const method = requireOpen(
      methodOf(stored.view.terms, wanted.method, { due: sum, hasAddresses: await hasAddresses(unit.tx, stored.view) }),
    );
    const parts = sum === undefined ? undefined : (method.parts ?? amountFor(method.price, sum));
    if (parts === undefined && payKindOf(info.code) === 'redirect') throw fieldProblem('amount', 'required');
    const chosen: Chosen = { info, price: method.price, parts, least: method.least, payer, locale };
    const option = await makeOption(unit.tx, stored, chosen);
    batch.apply(wanted.id, choose(stored.view, { ...option, pays: sum }, by));
    await batch.save();
    return { invoice: batch.invoice(wanted.id), isFirst };
  });
}

/** Returns what is due of an invoice that takes payments; undefined for a top-up. Throws `invoice_not_open`. */
export function requirePayable(view: Invoice): { readonly due: bigint | undefined } {
  if (!isPayable(view)) throw new Problem('invoice_not_open');
  return { due: dueOf(view) };
}

/** Returns the sum that the buyer wants to pay by this method: that of a top-up, or a part of what is due. */
function statedSum({ terms }: Invoice, text: string | undefined, due: bigint | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const sum = parsedPositive('amount', text, terms.currency, terms.digits);
  if (due !== undefined && sum > due) throw fieldProblem('amount', 'amount_above_due', { due: sumText(terms, due) });
  return sum;
}

/** True if the buyer has this option already, for the same sum and at a price that is still locked. */
function isChosenNow(view: Invoice, method: string, sum: bigint | undefined, now: Date): boolean {
  const option: PaymentOption | undefined = currentOption(view);
  return (
    option?.currency === method &&
    option.to !== undefined &&
    option.lockUntil > now &&
    option.way !== 'refused' &&
    option.pays === sum
  );
}

/** Throws `too_many_choices` if the method was chosen too often in the last hour. */
function requireChoices({ options }: Invoice, now: Date): void {
  const since = now.getTime() - HOUR_MS;
  const recent = options.filter(({ openedAt }) => openedAt.getTime() > since);
  if (recent.length < settings.get('gate.choices_hour')) return;
  const first = recent[0]?.openedAt.getTime() ?? now.getTime();
  throw new Problem('too_many_choices', { retryAfter: Math.ceil((first - since) / 1_000) });
}

/** True if the invoice's store may hand out another address on a chain today. */
export async function hasAddresses(tx: Tx, { store, terms }: Pick<Invoice, 'store' | 'terms'>): Promise<boolean> {
  if (terms.isTest) return true;
  const max = settings.get('gate.unpaid_options');
  const { kind } = await openStore(tx, store.id);
  const own = kind === 'personal' ? Math.ceil(max / PERSONAL_PART) : max;
  return (await countUnpaid(tx, store.id, new Date(tx.now.getTime() - DAY_MS))) < own;
}
