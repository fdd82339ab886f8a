// A buyer chooses the method by which they pay an invoice.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type UnitOfWork, alone } from '../../collecting/index.ts';
import { checkGivenAccount, currencyOf, payKindOf } from '../../payments/index.ts';
import type { Context, Db, Statements, Tx } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { type Invoice, type PaymentOption, dueOf, hasPayer, isPayable } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { amountFor } from '../invoices/option-price.ts';
import { choose, confirmChoice } from '../invoices/steps.ts';
import { type MethodContext, methodOf } from '../methods/methods.ts';
import { roomFor } from '../methods/reversible-room.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice, readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settings } from '../settings.ts';
import type { Store } from '../stores/store.ts';
import { openStore } from '../stores/store-rows.ts';
import { parsedPositive } from '../invoices/parsed-sum.ts';
import { requireUse } from '../links/link-uses.ts';
import { sumText } from '../wire/sum-text.ts';
import { type Chosen, makeOption, requireOpen } from './make-option.ts';
import { addressesOfNetwork, mayHandOut } from './unpaid-addresses.ts';

type Wanted = Pick<Input<Routes['paymentMethod']>, 'id' | 'method' | 'amount' | 'payer'>;

const HOUR_MS = 3_600_000;

/**
 * Chooses a method of an invoice: locks a price and opens a place to pay. The same choice again returns the invoice unchanged
 * while its price is locked. Throws `invoice_unknown`, `record_altered`, `invoice_not_open` if nothing is due,
 * `method_closed`, `rates_unavailable`, `too_many_choices`, `unpaid_options`, `link_used_up` if the invoice's link has no use left,
 * and `validation` on the fields.
 */
export const chooseMethod = async (db: Db, wanted: Wanted, locale: 'en' | 'ru'): Promise<StoredInvoice> =>
  (await chooseAs(db, wanted, { locale })).invoice;

/**
 * Like `chooseMethod`, for a buyer over HTTP: throws also `rate_limited`, if the buyer's network has been given too many addresses
 * of the store. `isFirst`: true if no buyer has chosen before, so that the payer's secret is the caller's.
 */
export const chooseAsBuyer = (
  db: Db,
  wanted: Wanted,
  { locale, limitNetwork }: Pick<Context, 'locale' | 'limitNetwork'>,
): Promise<ChosenInvoice> => chooseAs(db, wanted, { locale, limitNetwork });

async function chooseAs(
  db: Db,
  wanted: Wanted,
  { locale, limitNetwork }: Pick<Context, 'locale'> & Partial<Pick<Context, 'limitNetwork'>>,
): Promise<ChosenInvoice> {
  const { id, method, amount, payer: given = {} } = wanted;
  const { view } = requireAsStored(await readInvoice(db, id));
  if (!view.terms.methods.includes(method)) throw new Problem('method_closed');
  const payer = await payerFor(db, method, given);
  if (needsAddress(view, method)) await limitNetwork?.(`addresses of ${view.store.id}`, addressesOfNetwork(view.store));
  return alone(db, async (unit) =>
    chooseIn(unit, requireAsStored(await lockInvoice(unit.tx, id)), { by: 'buyer', method, amount, payer, locale }),
  );
}

/** True if a method of an invoice takes another address on a chain: each currency has one. */
const needsAddress = ({ terms, options }: Invoice, method: string): boolean =>
  !terms.isTest && payKindOf(method) === 'address' && !options.some(({ currency }) => currency === method);

/** A choice of a method, with the checked fields of the payer's account. A store chooses for its new invoice. */
interface Choice extends Pick<Wanted, 'method' | 'amount'> {
  readonly by: 'store' | 'buyer';
  readonly payer: Chosen['payer'];
  readonly locale: 'en' | 'ru';
}

interface ChosenInvoice {
  readonly invoice: StoredInvoice;
  readonly isFirst: boolean;
}

/**
 * Returns the checked fields of a payer's account that a method needs. Throws `method_closed` for an unknown method, and
 * `validation` at `payer`.
 */
export async function payerFor(db: Statements, method: string, given: Chosen['payer']): Promise<Chosen['payer']> {
  const info = currencyOf(method);
  if (!info) throw new Problem('method_closed');
  const fields = payKindOf(method) === 'redirect' ? (info.payerFields ?? []) : [];
  return fields.length === 0 ? {} : (await checkGivenAccount(db, method, given, 'payer', fields)).fields;
}

/**
 * Chooses a method of an invoice that this transaction has locked or inserted. The payer's secret is a buyer's, never the store's.
 * Throws as `chooseMethod`.
 */
export async function chooseIn(unit: UnitOfWork, stored: StoredInvoice, choice: Choice): Promise<ChosenInvoice> {
  const { view } = stored;
  const { by, method: code, amount, payer, locale } = choice;
  const info = view.terms.methods.includes(code) ? currencyOf(code) : undefined;
  if (!info) throw new Problem('method_closed');
  const { due } = requirePayable(view, unit.tx.now);
  const sum = view.terms.stated ?? statedSum(view, amount, due) ?? due;
  const isFirst = by === 'buyer' && !hasPayer(view);
  const batch = new InvoiceBatch(unit, [stored]);
  if (isChosenNow(view, code, sum, unit.tx.now)) {
    if (!isFirst) return { invoice: stored, isFirst };
    batch.apply(view.id, confirmChoice(view));
    await batch.save();
    return { invoice: batch.invoice(view.id), isFirst };
  }
  requireChoices(view, unit.tx.now);
  await requireUse(unit.tx, view);
  const method = requireOpen(methodOf(view.terms, code, await contextIn(unit.tx, view, sum)));
  const parts = sum === undefined ? undefined : (method.parts ?? amountFor(method.price, sum));
  if (parts === undefined && payKindOf(code) === 'redirect') throw fieldProblem('amount', 'required');
  const option = await makeOption(unit.tx, stored, { info, price: method.price, parts, least: method.least, payer, locale });
  batch.apply(view.id, choose(view, { ...option, pays: sum }, by));
  await batch.save();
  return { invoice: batch.invoice(view.id), isFirst };
}

/** Returns what is due of an invoice that takes payments; undefined for a top-up. Throws `invoice_not_open`. */
export function requirePayable(view: Invoice, now: Date): { readonly due: bigint | undefined } {
  if (!isPayable(view, now)) throw new Problem('invoice_not_open');
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

/**
 * Returns what decides about the methods of an invoice now, beside their prices. `store`: that of the invoice. `due`: sum to pay;
 * undefined for a top-up.
 */
export async function methodContext(
  db: Statements,
  { store, terms }: { readonly store: Pick<Store, 'id' | 'kind' | 'businessId'>; readonly terms: Invoice['terms'] },
  due: bigint | undefined,
  now: Date,
): Promise<MethodContext> {
  // A test store hands out no addresses.
  const hasAddresses = terms.isTest || (await mayHandOut(db, store, now));
  return { due, hasAddresses, room: await roomFor(db, { store, terms }, now) };
}

const contextIn = async (tx: Tx, { store, terms }: Invoice, due: bigint | undefined): Promise<MethodContext> =>
  methodContext(tx, { store: await openStore(tx, store.id), terms }, due, tx.now);
