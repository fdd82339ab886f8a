// Makes an invoice for a member or an API key of a store.

import { randomBytes } from 'node:crypto';
import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { orderNumber, percent } from '@kurs/money';
import { holderById } from '../../auth/index.ts';
import { levelOf } from '../../compliance/index.ts';
import { alone } from '../../collecting/index.ts';
import { lockRules } from '../../exchange/index.ts';
import { currencyOf } from '../../payments/index.ts';
import { type Db, type KeepAnswer, type Tx, isDuplicate } from '../../platform/index.ts';
import { type Business, countedState } from '../businesses/business.ts';
import { businessById } from '../businesses/business-store.ts';
import { type Invoice, type InvoiceTerms, wantedOf } from '../invoices/invoice.ts';
import { parsedPositive } from '../invoices/parsed-sum.ts';
import { digitsOf } from '../methods/current-price.ts';
import { methodOf } from '../methods/methods.ts';
import { type ReversibleRoom, roomFor } from '../methods/reversible-room.ts';
import { allMethods } from '../purpose.ts';
import { tellStores } from '../events/tell-stores.ts';
import { insertInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { requireWithinWindow } from '../settlements/business-window.ts';
import { settings } from '../settings.ts';
import { invoiceCurrencies, takesReversible } from '../stores/currencies.ts';
import { STORE_LEVEL, type Store, isTestStore } from '../stores/store.ts';
import { requireOnSites } from '../stores/require-on-sites.ts';
import { openStore } from '../stores/store-rows.ts';
import { requireLife } from '../stores/store-settings.ts';
import { hundredthsOf, percentageOf } from '../stores/tolerance.ts';
import { chooseIn, payerFor } from './choose-method.ts';
import { requireLinesSum } from './line-sum.ts';

type Wanted = Input<Routes['invoiceMake']>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Maximum number of retries for an invoice whose random number is already taken. */
const TRIES = 5;

/** Returns a new id of 128 random bits, in the form of a UUID. */
const randomId = (): string =>
  randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Terms of an invoice that a buyer makes by a link. `stated`: sum that the buyer states, in parts. */
type ByLink = Required<Pick<InvoiceTerms, 'linkId' | 'stated'>>;

/**
 * More about a new invoice. `byLink`: set if a buyer makes it by a link. `mayExceed`: true if the caller may change the store's
 * settings, and so let more be missing than these say. `keep`: stores the answer of the call with the invoice.
 */
interface MakeOptions {
  readonly mayExceed?: boolean;
  readonly byLink?: ByLink | undefined;
  readonly keep?: KeepAnswer<StoredInvoice> | undefined;
}

/**
 * Makes an invoice of a store, with a payment option if a method is wanted: both or none. Throws `validation` on the wrong field,
 * `store_closed` or `business_not_approved` if the store may make none, `business_limit` or, for a buyer, `store_limit` if the sum
 * exceeds the store's limits, `invoice_too_small` if no method is open for the sum, and the problems of `chooseMethod`.
 */
export async function makeInvoice(
  db: Db,
  wanted: Wanted,
  locale: 'en' | 'ru',
  { byLink, mayExceed = false, keep }: MakeOptions = {},
): Promise<StoredInvoice> {
  const { method } = wanted;
  const payer = method === undefined ? {} : await payerFor(db, method, {});
  for (let left = TRIES; ; left -= 1) {
    try {
      return await alone(db, async (unit) => {
        const made = await make(unit.tx, wanted, locale, { byLink, mayExceed });
        const invoice =
          method === undefined ? made : (await chooseIn(unit, made, { by: 'store', method, payer, locale })).invoice;
        await keep?.(unit.tx, invoice);
        return invoice;
      });
    } catch (error) {
      if (left === 0 || !isDuplicate(error, 'invoice_number_key')) throw error;
    }
  }
}

async function make(
  tx: Tx,
  wanted: Wanted,
  locale: 'en' | 'ru',
  { byLink, mayExceed }: Pick<MakeOptions, 'byLink' | 'mayExceed'>,
): Promise<StoredInvoice> {
  const store = await openStore(tx, wanted.store);
  const business = await requireTakes(tx, store);
  const terms: InvoiceTerms = { ...termsFor(store, wanted, takesReversible(store, business)), ...byLink };
  if (terms.tolerance > store.tolerance && !mayExceed)
    throw fieldProblem('tolerance', 'tolerance_of_store', { max: percentageOf(store.tolerance) });
  requireLinesSum(wanted, terms);
  await requireWithinWindow(tx, store, terms, tx.now);
  const metadata = metadataText(wanted.metadata);
  const { life_minutes: life = store.lifeMinutes } = wanted;
  if (life !== store.lifeMinutes) requireLife(life);
  const view: Invoice = {
    ...{ id: randomId(), state: 'open', version: 1, terms, options: [], payments: [], firstCredit: undefined },
    store: { id: store.id, businessId: store.businessId, holderId: store.holderId },
    expiresAt: new Date(tx.now.getTime() + life * MINUTE_MS),
  };
  requireMethod(view, await roomFor(tx, view, tx.now));
  if (typeof wanted.return_url === 'string') await requireOnSites(tx, store, wanted.return_url, 'return_url');
  const returnUrl = wanted.return_url === undefined ? store.returnUrl : (wanted.return_url ?? undefined);
  const invoice: StoredInvoice = {
    ...{ view, number: orderNumber(randomBytes(5), 'KI'), createdAt: tx.now, updatedAt: tx.now, locale, metadata },
    ...{ orderId: wanted.order_id, email: wanted.email, isArchived: false },
    details: {
      lines: wanted.lines,
      ...(wanted.tax !== undefined && { tax: wanted.tax }),
      ...(wanted.description !== undefined && wanted.description !== '' && { description: wanted.description }),
      ...(returnUrl !== undefined && { returnUrl }),
    },
  };
  await insertInvoice(tx, invoice);
  // Read behind the new row, which waits for a concurrent closing of the business or of the account.
  await requireTakes(tx, store);
  if (byLink) await requireHolder(tx, store);
  await tellStores(tx, [{ invoice, before: view, news: [{ kind: 'created', version: 1 }] }]);
  return invoice;
}

/** Returns the business of a store. Throws `business_not_approved` or `store_closed` if it may not take new payments. */
async function requireTakes(tx: Tx, { businessId }: Store): Promise<Business | undefined> {
  if (businessId === undefined) return undefined;
  const business = await businessById(tx, businessId);
  if (!business) throw new Problem('business_not_approved');
  if (countedState(business) !== 'approved') throw new Problem('store_closed');
  return business;
}

/** Throws `store_closed` if the holder of a store without a business may have no store: their account may be closed. */
async function requireHolder(tx: Tx, { businessId, holderId }: Store): Promise<void> {
  if (businessId !== undefined) return;
  // A closed account keeps no confirmed address, but perhaps the level that people gave it.
  const isConfirmed = (await holderById(tx, holderId))?.emailVerifiedAt !== undefined;
  if (!isConfirmed || (await levelOf(tx, holderId)) < STORE_LEVEL) throw new Problem('store_closed');
}

/**
 * Returns the terms of an invoice of a store. `hasReversible`: true if it takes methods whose payments can be taken back. Throws
 * `validation` on the wrong field, and `store_closed` if the store's settlement currency is gone.
 */
export function termsFor(
  store: Store,
  wanted: Pick<Wanted, 'amount' | 'currency' | 'methods' | 'tolerance'>,
  hasReversible: boolean,
): InvoiceTerms {
  const currency = wanted.currency ?? store.invoiceCurrency;
  if (!invoiceCurrencies().includes(currency)) throw fieldProblem('currency', 'currency_without_price');
  const unit = currencyOf(store.settlementCurrency)?.unit;
  if (unit === undefined) throw new Problem('store_closed');
  const digits = digitsOf(currency);
  const { confirmWithin, outageWithin, tolerancePercent } = lockRules();
  return {
    ...{ currency, digits, amount: amountOf(wanted.amount, currency, digits) },
    tolerance: wanted.tolerance === undefined ? store.tolerance : hundredthsOf(wanted.tolerance),
    settlement: { currency: store.settlementCurrency, unit },
    isBorneByStore: store.costsBearer === 'store',
    methods: methodsFor(store, wanted.methods, hasReversible),
    fee: percent(settings.get('gate.fee')),
    ...{ confirmWithin, outageWithin, lockedPercent: BigInt(100 + tolerancePercent) },
    holdWithin: settings.get('gate.hold_hours') * HOUR_MS,
    shortPreset: store.shortPreset,
    isTest: isTestStore(store),
  };
}

const amountOf = (text: string | undefined, currency: string, digits: number): bigint | undefined =>
  text === undefined ? undefined : parsedPositive('amount', text, currency, digits);

/** Returns the methods of an invoice: those that were wanted, else the store's. Throws `validation` for an unknown one. */
function methodsFor(store: Store, wanted: readonly string[] | undefined, hasReversible: boolean): string[] {
  const all = allMethods(hasReversible).map(({ code }) => code);
  const ofStore = store.methods ?? all;
  for (const code of wanted ?? [])
    if (!all.includes(code) || !ofStore.includes(code)) throw fieldProblem('methods', 'currency_unknown');
  return all.filter((code) => (wanted ?? ofStore).includes(code));
}

/** Throws `invoice_too_small` if costs or smallest payments close every method that is there. */
function requireMethod(view: Invoice, room: ReversibleRoom | undefined): void {
  const { terms } = view;
  const due = wantedOf(view);
  const methods = terms.methods.flatMap((code) => methodOf(terms, code, { due, hasAddresses: true, room }) ?? []);
  if (methods.some(({ closed }) => closed === undefined)) return;
  if (methods.some(({ closed }) => closed === 'costs' || closed === 'too_small')) throw new Problem('invoice_too_small');
  throw new Problem(methods.some(({ closed }) => closed === 'rates') ? 'rates_unavailable' : 'method_closed');
}

const KB = 1_024;

function metadataText(metadata: Wanted['metadata']): string {
  const text = JSON.stringify(metadata);
  const max = settings.get('gate.metadata_kb');
  if (Buffer.byteLength(text) > max * KB) throw fieldProblem('metadata', 'metadata_too_large', { max: String(max) });
  return text;
}
