// Makes a refund: its sum leaves the store's balance at once, or it is refused.

import { randomBytes } from 'node:crypto';
import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { format, isUnit, money, orderNumber } from '@kurs/money';
import { type UnitOfWork, alone } from '../../../collecting/index.ts';
import type { Sender } from '../../../deliveries/index.ts';
import { type Journal, accounts } from '../../../ledger/index.ts';
import { currencyOf, payable } from '../../../payments/index.ts';
import { requireUnfrozen } from '../../../moneyout/index.ts';
import { type Db, type KeepAnswer, newId } from '../../../platform/index.ts';
import { parsed } from '../../invoices/parsed-sum.ts';
import { freeBalance } from '../../free-balance.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { digitsOf } from '../../methods/current-price.ts';
import { requireAsStored } from '../../rows/invoice-mac.ts';
import { lockInvoice } from '../../rows/invoice-rows.ts';
import type { StoredInvoice } from '../../rows/stored-invoice.ts';
import { InvoiceBatch } from '../../apply/batch.ts';
import { settings } from '../../settings.ts';
import { invoiceCurrencies } from '../../stores/currencies.ts';
import { type Store, isTestStore } from '../../stores/store.ts';
import { unitMoney } from '../../wire/amounts.ts';
import { lockStore } from '../../stores/store-rows.ts';
import { mailRefund } from '../letters.ts';
import { takenLegs } from '../machine/claim-legs.ts';
import { judgeRefund } from '../machine/judge-refund.ts';
import { type Refund, type RefundMaker, type UnitSum, isOwner } from '../machine/refund.ts';
import { insertRefund } from '../rows/refund-rows.ts';
import { tellRefund } from '../tell-refund.ts';
import { lockMoves } from '../../settlements/move.ts';
import { inAsset, inUnit, refundableOf } from './refundable.ts';
import { addClaim } from './claim-refund.ts';
import { centsOf } from './claim-price.ts';
import { newClaim } from './new-claim.ts';
import { requireRefunds } from './require-refunds.ts';
import { openRefund } from './save-refund.ts';
import { type SourceShare, hasLink, requireUndisputed, reserveOf, sharesOf, withoutReserve } from './source-shares.ts';

type Wanted = Input<Routes['refundMake']>;

interface MakeDeps {
  readonly db: Db;
  readonly sender: Sender;
  /** Stores the answer of the call with the refund. */
  readonly keep?: KeepAnswer<Refund> | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Makes a refund of a store, for an invoice or without one. That of a test store takes no money. Throws `invoice_unknown`,
 * `store_closed`, `business_owes`, `withdrawals_frozen` for an owner whose account is frozen, `rates_unavailable`, `refund_too_large`
 * if it is more than may be refunded of the invoice, `refund_not_covered` if the balance lacks a part of it, `not_deep_yet` if a part
 * of the balance is not free yet, and `validation` on the fields. What was paid by payments that can be taken back goes back to these:
 * throws `payment_disputed` if a payer disputes one, `unavailable` if nobody can say so, and `method_closed` if the desk lacks the coin.
 */
export async function makeRefund(
  { db, sender, keep }: MakeDeps,
  wanted: Wanted,
  maker: RefundMaker,
  locale: 'en' | 'ru',
): Promise<Refund> {
  if (wanted.invoice !== undefined) await requireUndisputed(db, wanted.store, wanted.invoice);
  return alone(db, async (unit) => {
    const { tx } = unit;
    const store = await lockStore(tx, wanted.store);
    const isTest = isTestStore(store);
    await lockMoves(tx, store);
    if (!isTest) await requireRefunds(tx, store);
    if (!isTest && isOwner(maker, store)) await requireUnfrozen(tx, maker.id, tx.now);
    const invoice = wanted.invoice === undefined ? undefined : requireAsStored(await lockInvoice(tx, wanted.invoice));
    if (invoice && invoice.view.store.id !== store.id) throw new Problem('invoice_unknown');
    const sums = sumsFor(store, wanted, invoice?.view);
    if (invoice) await requireWithin(unit, invoice.view, sums.amount);
    const shares = invoice && !isTest ? await sharesOf(tx, invoice.view, sums.taken) : [];
    const reserve = reserveOf(shares);
    if (!isTest) await requireFree(unit, store.id, { ...sums.taken, parts: sums.taken.parts - reserve });
    const refund: Refund = {
      ...{ id: newId(), number: orderNumber(randomBytes(5), 'KR'), invoiceId: invoice?.view.id, state: 'open', version: 1 },
      store: { id: store.id, businessId: store.businessId, holderId: store.holderId },
      ...{ ...sums, rests: [sums.taken], back: [], ended: undefined, maker },
      ...{ email: wanted.email, note: wanted.note, locale: wanted.language ?? invoice?.locale ?? locale },
      ...{ createdAt: tx.now, updatedAt: tx.now },
      expiresAt: new Date(tx.now.getTime() + settings.get('gate.refund_days') * DAY_MS),
      ...(isTest && { isTest }),
    };
    await insertRefund(tx, refund);
    await tellRefund(tx, refund, 'created');
    const journal: Journal = { id: newId(), kind: 'merchant_refund', cause: refund.id, legs: takenLegs(refund, reserve) };
    if (isTest) judgeRefund(undefined, { refund, claims: [] }, journal);
    else unit.post(journal, 'not_enough_in_store');
    if (invoice && reserve > 0n) await takeReserve(unit, invoice, shares);
    const made = await claimForPayments(unit, sender, refund, shares);
    await mailRefund(tx, sender, made, hasLink(made) ? 'made' : 'source');
    await keep?.(tx, made);
    return made;
  });
}

/** Lowers what payments of a locked invoice have in the store's reserve. */
async function takeReserve(unit: UnitOfWork, stored: StoredInvoice, shares: readonly SourceShare[]): Promise<void> {
  const batch = new InvoiceBatch(unit, [stored]);
  batch.revise(stored.view.id, { ...stored, view: withoutReserve(stored.view, shares) });
  await batch.save();
}

/**
 * Claims the shares of a new refund that go back to payments. They go out or wait as claims by its link do. Throws `method_closed` if
 * the desk can't pay so much now.
 */
async function claimForPayments(
  unit: UnitOfWork,
  sender: Sender,
  refund: Refund,
  shares: readonly SourceShare[],
): Promise<Refund> {
  const { tx } = unit;
  let made = refund;
  for (const { payment, info, sum, got, reserve } of shares) {
    if (got.parts > (await payable(tx, info.code))) throw new Problem('method_closed');
    const price =
      info.unit === sum.unit
        ? { fee: sum.parts - got.parts, got, price: undefined }
        : { fee: 0n, got, price: { components: [], exchanged: sum.parts } };
    const claim = newClaim(made, {
      ...{ id: newId(), sum, usd: centsOf(sum), price, at: tx.now, info, account: payment.source },
      source: { paymentId: payment.id, reserve },
    });
    made = await addClaim(unit, sender, await openRefund(tx, made.id), claim);
  }
  return made;
}

/** Returns the amount in the currency of the invoice, or the stated one, and the sum that it takes from the balance. */
function sumsFor(
  store: Store,
  { amount: text, currency: stated, unit: wantedUnit }: Wanted,
  invoice: Invoice | undefined,
): Pick<Refund, 'currency' | 'digits' | 'amount' | 'taken'> {
  const unit = wantedUnit ?? invoice?.terms.settlement.unit ?? currencyOf(store.settlementCurrency)?.unit ?? '';
  if (!isUnit(unit)) throw fieldProblem('unit', 'currency_unknown');
  const named = stated ?? invoice?.terms.currency ?? store.invoiceCurrency;
  const base = invoice?.terms.currency ?? named;
  if (!invoiceCurrencies().includes(named)) throw fieldProblem('currency', 'currency_without_price');
  const amount = parsed('amount', text, named, digitsOf(named));
  if (amount === 0n) throw fieldProblem('amount', 'amount_format');
  const taken: UnitSum = { unit, parts: inUnit(named, amount, unit) };
  return { currency: base, digits: digitsOf(base), amount: named === base ? amount : inAsset(taken, base), taken };
}

/** Throws `refund_too_large` if the refunds of an invoice would exceed the larger of what was paid and its worth now. */
async function requireWithin({ tx }: UnitOfWork, view: Invoice, amount: bigint): Promise<void> {
  const { most } = await refundableOf(tx, view);
  const { currency, digits } = view.terms;
  if (amount > most) throw new Problem('refund_too_large', { params: { most: format(money(currency, most), digits), currency } });
}

/** Throws `refund_not_covered` if the balance is smaller, and `not_deep_yet` if not enough of it is free. */
async function requireFree(unit: UnitOfWork, storeId: string, taken: UnitSum): Promise<void> {
  const free = await freeBalance(unit.tx, storeId, taken.unit);
  if (taken.parts <= free) return;
  const whole = await unit.shown(accounts.merchant(storeId, taken.unit));
  if (taken.parts <= whole) throw new Problem('not_deep_yet');
  const { amount: lacks, currency } = unitMoney(taken.unit, taken.parts - free);
  throw new Problem('refund_not_covered', { params: { lacks, currency } });
}
