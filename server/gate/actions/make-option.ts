// Makes a payment option of an invoice: a price that is locked for a while, and a place to pay.

import { Problem, returnPages } from '@kurs/contract';
import { type CurrencyInfo, dropRequests, isPrepared, openPayin, watchClosely } from '../../payments/index.ts';
import { isReversible } from '../../compliance/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { latest } from '../../rates/index.ts';
import { type Invoice, type PaymentOption } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { type OptionPrice, converted } from '../invoices/option-price.ts';
import { boundsWith } from '../methods/current-bounds.ts';
import { minFeeIn } from '../methods/current-price.ts';
import type { Method } from '../methods/methods.ts';
import { usdOf, worthOf } from '../methods/worth.ts';
import { payerOf } from '../purpose.ts';
import { type InvoiceAddress, addressesOf, insertAddress } from '../rows/address-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settings } from '../settings.ts';

const OWNER = 'invoice';

/** An open method, with the amount to pay by it; undefined for any amount. */
export interface Chosen {
  readonly info: CurrencyInfo;
  readonly price: OptionPrice;
  readonly parts: bigint | undefined;
  readonly least: bigint;
  /** Checked fields of the payer's account. */
  readonly payer: Readonly<Record<string, string>>;
  readonly locale: 'en' | 'ru';
}

/** A method with a price. */
export interface OpenMethod extends Method {
  readonly price: OptionPrice;
  readonly least: bigint;
}

/** Returns the chosen method of an invoice. Throws `method_closed` or `rates_unavailable` if it is closed. */
export function requireOpen(method: Method | undefined): OpenMethod {
  if (method?.closed === 'addresses') throw new Problem('unpaid_options');
  if (!method || (method.closed !== undefined && method.closed !== 'rates')) throw new Problem('method_closed');
  const { price, least } = method;
  if (!price || least === undefined) throw new Problem('rates_unavailable');
  return { ...method, price, least };
}

/**
 * Makes an option of a locked invoice. On a chain, all options of a currency share one address. At a payment system each has a
 * reference of its own, and the preparation of the former option's payment stops.
 */
export async function makeOption(tx: Tx, { view, number }: StoredInvoice, chosen: Chosen): Promise<PaymentOption> {
  const option = { ...optionWith(view, chosen, tx.now), ...reversiblePins(view, chosen) };
  if (view.terms.isTest) return option;
  await dropPreparation(tx, view);
  const known = isPrepared(option.currency) ? undefined : await knownAddress(tx, view.id, option.currency);
  if (known) {
    await watchClosely(tx, { kind: OWNER, id: known.id }, option.lockUntil);
    return { ...option, addressId: known.id, to: known.to, memo: known.memo };
  }
  const opened = await openPayin(tx, {
    owner: { kind: OWNER, id: option.addressId },
    currency: option.currency,
    parts: option.parts ?? chosen.least,
    customerKey: payerOf(view.id),
    request: {
      ...{ label: number, back: returnPages(number, chosen.locale), locale: chosen.locale },
      ...{ until: option.lockUntil, payer: chosen.payer },
    },
  });
  const address: InvoiceAddress = {
    ...{ id: option.addressId, invoiceId: view.id, storeId: view.store.id, currency: option.currency },
    ...{ optionId: isPrepared(option.currency) ? option.id : undefined, to: opened.to, memo: opened.memo },
    createdAt: tx.now,
  };
  await insertAddress(tx, address);
  return { ...option, to: opened.to, memo: opened.memo };
}

/** Stops the preparation of a payment by the invoice's present option. Another option takes its place. */
export async function dropPreparation(tx: Tx, view: Invoice): Promise<void> {
  const present = currentOption(view);
  if (present?.to !== undefined && isPrepared(present.currency)) await dropRequests(tx, { kind: OWNER, id: present.addressId });
}

/** Returns what an option pins whose payments can be taken back for months. */
function reversiblePins({ terms }: Invoice, { info, parts }: Chosen): Pick<PaymentOption, 'isReversible' | 'worth'> {
  if (!isReversible(info.code)) return {};
  const usd = usdOf(info.unit, parts ?? 0n) ?? 0n;
  return {
    isReversible: true,
    worth: { usd, invoiceUsd: terms.amount === undefined ? usd : worthOf(terms.currency, terms.amount) },
  };
}

async function knownAddress(tx: Tx, invoiceId: string, currency: string): Promise<InvoiceAddress | undefined> {
  const places = await addressesOf(tx, [invoiceId]);
  const found = places.find((one) => one.currency === currency && one.optionId === undefined);
  if (found?.isAltered) throw new Problem('record_altered');
  return found;
}

/** Returns an option without a place to pay. Its lock is never beyond the time of an open invoice. */
export function optionWith(
  view: Invoice,
  { info, price, parts, least }: Omit<Chosen, 'payer' | 'locale'>,
  now: Date,
): PaymentOption {
  const lock = new Date(now.getTime() + settings.get('gate.lock_minutes') * 60_000);
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  const { smallestRefund, minFee: own } = boundsWith(info, least, snapshot);
  return {
    ...{ id: newId(), addressId: newId(), currency: info.code, unit: info.unit, parts, price, openedAt: now, least },
    pays: parts === undefined ? undefined : converted(price, parts)?.credit,
    lockUntil: view.state === 'open' && view.expiresAt < lock ? view.expiresAt : lock,
    minFee: { settlement: minFeeIn(snapshot, view.terms.settlement.unit), own },
    ...{ smallestRefund, to: undefined, memo: undefined, way: undefined },
  };
}
