// Credits a final payment: cuts off what the invoice doesn't need, converts the rest, and books both. Pure.
//
// A payment in time is converted at the locked rate, up to 102 % of the option's amount, and beyond it at the current rate.

import { PROVISION, totalOf } from '@kurs/money';
import { conversion, min, move } from '../../collecting/index.ts';
import { type Leg, accounts } from '../../ledger/index.ts';
import type { Draft, StepContext } from './draft.ts';
import { type Booked, type InvoicePayment, creditedOf, isUnfinished, ownOf, toleranceOf } from './invoice.ts';
import { lockedRest, optionOf } from './options.ts';
import { boundsOf, isTakenNow, withBounds } from './payment-bounds.ts';
import { type Conversion, type OptionPrice, amountFor, converted, isSameUnit, withoutFixed } from './option-price.ts';

/** Parts of a payment with the prices at which they are credited. The second has no fixed costs, since the first bears them. */
export interface Lots {
  /** Part with the locked rate. */
  readonly locked: bigint;
  readonly first: { readonly price: OptionPrice; readonly parts: bigint };
  readonly rest: { readonly price: OptionPrice; readonly parts: bigint } | undefined;
}

/**
 * Returns the prices at which the amount `parts` of a payment is credited. A part with the locked rate that would bring nothing
 * goes with the rest. Undefined if a part needs the price of the moment and there is none.
 */
export function lotsOf(draft: Draft, payment: InvoicePayment, parts: bigint, context: StepContext): Lots | undefined {
  const option = optionOf(draft.invoice, payment.optionId);
  const holdsRate = !payment.isLate && draft.invoice.terms.amount !== undefined;
  const locked = holdsRate ? min(lockedRest(draft.invoice, option, payment.id), parts) : 0n;
  const hasLower = payment.hasLowerRate === true && locked > 0n;
  if (locked === parts && !hasLower) return { locked, first: { price: option.price, parts }, rest: undefined };
  const price = context.priceNow(payment.currency);
  if (!price) return undefined;
  if (!converted(option.price, locked)) return { locked: 0n, first: { price, parts }, rest: undefined };
  const first = { price: hasLower ? lowerOf(option.price, price, locked) : option.price, parts: locked };
  return { locked, first, rest: locked === parts ? undefined : { price: withoutFixed(price), parts: parts - locked } };
}

/** Returns the price at which an amount is credited with less. */
const lowerOf = (a: OptionPrice, b: OptionPrice, parts: bigint): OptionPrice =>
  (converted(b, parts)?.credit ?? 0n) < (converted(a, parts)?.credit ?? 0n) ? b : a;

/** Returns the result of a payment's lots; undefined for a payment that its costs eat. */
export function convertLots({ first, rest }: Lots): Conversion | undefined {
  const one = converted(first.price, first.parts);
  if (!one || !rest) return one;
  const other = converted(rest.price, rest.parts);
  // A rest that is too small to bring anything goes with the first part, at its rate.
  if (!other) return converted(first.price, first.parts + rest.parts);
  return {
    credit: one.credit + other.credit,
    components: [...one.components, ...other.components],
    exchanged: one.exchanged + other.exchanged,
    got: one.got + other.got,
  };
}

/** Returns the smallest part of the lots that is credited with `due`, in parts of the payment's unit. */
function partsFor({ first, rest }: Lots, due: bigint): bigint | undefined {
  const credit = converted(first.price, first.parts)?.credit ?? 0n;
  if (!rest || credit >= due) return amountFor(first.price, due);
  const more = amountFor(rest.price, due - credit);
  return more === undefined ? undefined : first.parts + more;
}

/**
 * Returns the part of a payment that exceeds what the invoice needs by more than its tolerance, and by more than the smallest
 * refund. This part belongs to the payer.
 */
function excessOf(draft: Draft, payment: InvoicePayment, lots: Lots): bigint {
  const { invoice } = draft;
  const { amount } = invoice.terms;
  if (amount === undefined) return 0n;
  const missing = amount - creditedOf(invoice);
  const credit = convertLots(lots)?.credit ?? 0n;
  if (credit - missing <= toleranceOf(invoice.terms)) return 0n;
  const needed = missing > 0n ? partsFor(lots, missing) : 0n;
  if (needed === undefined) return 0n;
  const excess = ownOf(payment) - needed;
  const bounds = boundsOf(invoice, payment);
  return bounds && excess > bounds.smallestRefund ? excess : 0n;
}

/**
 * Credits a final payment of an unfinished invoice. One in a currency that the store doesn't take, or beyond the bounds of its
 * business, stays its payer's, as a later one.
 */
export function count(draft: Draft, payment: InvoicePayment, context: StepContext): void {
  const { invoice } = draft;
  if (isUnfinished(invoice) && !context.isBeyond && isTakenNow(invoice, payment, context)) {
    credit(draft, payment, context);
    return draft.decide();
  }
  setAside(draft, payment, invoice.state === 'settled' || context.isBeyond ? 'over' : 'late');
}

/**
 * Credits a final payment whose money stands in `invoice:in`. Without a price of the moment the payment waits; a payment that its
 * costs eat, or below the smallest one, stays its payer's. `isKnown`: the payment was reported as final before.
 */
export function credit(draft: Draft, given: InvoicePayment, context: StepContext, isKnown = false): void {
  const payment = withBounds(draft.invoice, given, context);
  const bounds = boundsOf(draft.invoice, payment);
  const own = ownOf(payment);
  if (own === 0n) return setAside(draft, payment, 'over');
  const whole = lotsOf(draft, payment, own, context);
  if (!whole) return wait(draft, payment);
  const over = excessOf(draft, payment, whole);
  const parts = own - over;
  const lots = over === 0n ? whole : lotsOf(draft, payment, parts, context);
  const result = lots && convertLots(lots);
  if (!bounds || !lots || !result || own < bounds.least) return setAside(draft, payment, 'over');
  const covered = trueUp(draft, payment, lots, result.got, context.reservable);
  const booked = bookConversion(draft, covered, { parts, lots, result });
  const { firstCredit = result.credit } = draft.invoice;
  draft.invoice = { ...draft.invoice, firstCredit };
  const { locked } = lots;
  draft.payment({ ...covered, stage: 'credited', pending: 0n, reserve: 0n, locked, credit: result.credit, over, booked });
  if (!isKnown) draft.tell('payment_final', payment.id);
  if (over > 0n) draft.tell('over', payment.id);
}

/** Lets a final payment wait for a price. It does not count as pending. */
function wait(draft: Draft, payment: InvoicePayment): void {
  if (payment.stage === 'waiting') return;
  draft.payment({ ...draft.releaseReserve(payment), stage: 'waiting', pending: 0n });
  draft.tell('held', payment.id);
}

/** Leaves a final payment to its payer: the whole amount waits in `invoice:in` to be handed over. `why`: event for the store. */
export function setAside(draft: Draft, payment: InvoicePayment, why: 'over' | 'late'): void {
  const free = draft.releaseReserve(payment);
  draft.payment({ ...free, stage: 'unallocated', pending: 0n, credit: 0n, over: ownOf(payment) });
  draft.tell('payment_final', payment.id);
  draft.tell(why, payment.id);
}

/**
 * Makes a payment's reserve exactly what its conversion needs: takes more if the desk has it, or gives some back. If the desk
 * lacks it, the payment is settled in kind and its reserve goes back.
 */
function trueUp(draft: Draft, payment: InvoicePayment, { first }: Lots, got: bigint, reservable: bigint): InvoicePayment {
  if (isSameUnit(first.price)) return { ...draft.releaseReserve(payment), isInKind: false };
  const { unit } = draft.invoice.terms.settlement;
  const [reserve, free] = [accounts.invoiceReserve(draft.invoice.id, unit), accounts.deskFree(unit)];
  const lacking = got - payment.reserve;
  if (lacking > reservable - draft.takenFrom(free)) return { ...draft.releaseReserve(payment), isInKind: true };
  draft.post('invoice_reserve', lacking > 0n ? move(free, reserve, lacking) : move(reserve, free, -lacking));
  return { ...payment, reserve: got, isInKind: false };
}

interface Converting {
  readonly parts: bigint;
  readonly lots: Lots;
  readonly result: Conversion;
}

/** Posts a conversion, and returns what it booked. */
function bookConversion(draft: Draft, payment: InvoicePayment, { parts, lots, result }: Converting): Booked {
  const { id, terms } = draft.invoice;
  const given = accounts.invoiceIn(id, payment.unit);
  if (!payment.isInKind && !isSameUnit(lots.first.price)) {
    const { unit } = terms.settlement;
    const named = { given, promised: accounts.invoiceReserve(id, unit), got: accounts.invoiceSet(id, unit) };
    const provision = optionOf(draft.invoice, payment.optionId).isReversible ? provisionOf(parts, result.components) : 0n;
    draft.post('invoice_converted', conversion(named, { ...result, provision }));
    const { got: set, components, exchanged } = result;
    return { ...{ parts, unit, set, components, exchanged, fee: undefined }, ...(provision > 0n && { provision }) };
  }
  // The coin itself goes to the store, less its costs.
  const components = result.components.filter(({ kind }) => kind === 'cost');
  const set = parts - totalOf(components, 'cost');
  const costs = conversion({ given, promised: given, got: given }, { components, exchanged: 0n, got: 0n, provision: 0n });
  const legs: Leg[] = [...costs, ...move(given, accounts.invoiceSet(id, payment.unit), set)];
  draft.post('invoice_converted', legs);
  return { parts, unit: payment.unit, set, components, exchanged: 0n, fee: undefined };
}

/** Returns the part of the spread that is set aside for a payment that can be taken back: 1 % of it, at most the whole spread. */
const provisionOf = (parts: bigint, components: Booked['components']): bigint =>
  min(totalOf(components, 'fee'), (parts * PROVISION.numerator) / PROVISION.denominator);
