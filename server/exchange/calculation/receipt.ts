// Receipts: the signed terms of a review or an order. An order's receipt is built from data stored at the placing, so it is the
// same whenever it is requested.

import { POLICY_VERSION } from '@kurs/contract';
import type { Receipt, ReceiptTerms } from '@kurs/contract/receipt';
import { type Money, type PriceBreakdown, format, larger, money, parse, breakdownForGive, totalOf } from '@kurs/money';
import { minimumEnough } from '../../collecting/index.ts';
import { isReversible, lockMinutes, clearingMs } from '../../compliance/index.ts';
import { currencyOf } from '../../payments/index.ts';
import type { Signatures } from '../../platform/index.ts';
import { componentsWire, rateWire } from '../../pricing/index.ts';
import { type Complete, type HeldQuote, heldBreakdown } from './calculation.ts';
import type { PromisedTime } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { ReceiptPins } from '../order/receipt-pins.ts';
import { rules, settings } from '../machine/settings.ts';

/** Signing keys and the issuer's name. */
export interface Receipts {
  readonly signatures: Signatures;
  readonly issuer: ReceiptTerms['issuer'];
}

/** Promises that a receipt states. */
interface Promised {
  readonly give: { readonly currency: string; readonly unit: string };
  readonly get: { readonly currency: string };
  readonly breakdown: PriceBreakdown;
  readonly terms: HeldQuote['terms'];
  readonly ratesVersion: string;
  readonly minimum: Money;
  readonly shortPercent: number;
  readonly refundCost: Money;
  readonly minRefund: Money;
  readonly tolerance?: Money;
  readonly confirmWithin: number;
  /** True if a short payment is exchanged automatically when the lock ends. */
  readonly canGoOn: boolean;
  readonly promised?: PromisedTime;
  readonly pins: ReceiptPins;
}

/** Returns the data that an order pins for its receipt: all of the receipt's terms that may change later. */
export function receiptPins({ signatures, issuer }: Receipts, held: HeldQuote, isHeld: boolean): ReceiptPins {
  const { choice, offer } = rules();
  const maximum = parse(held.give.unit, held.shown.max).parts;
  const pins = { key: signatures.newest, issuer, policy: POLICY_VERSION, maximum, isHeld, choice, offer };
  return isReversible(held.shown.give.currency) ? { ...pins, clearing: clearingMs(0) } : pins;
}

/** Returns the receipt of a review, with its held quote. */
export function reviewReceipt(receipts: Receipts, calculation: Omit<Complete, 'email' | 'receive' | 'refund'>): Receipt {
  const { from, to, held, askMe } = calculation;
  const pins = receiptPins(receipts, held, held.isWithinReserve);
  const promised: Promised = {
    ...held,
    give: { currency: from, unit: held.give.unit },
    get: { currency: to },
    breakdown: heldBreakdown(held),
    confirmWithin: settings.get('exchange.confirm_minutes') * 60_000,
    canGoOn: held.isWithinReserve && !askMe,
    pins,
  };
  const terms: ReceiptTerms = {
    ...headOf('review', calculation.id, pins),
    quote_expires_at: new Date(held.expiresAt).toISOString(),
    lock_minutes: lockMinutes(),
    ...termsOf(promised),
  };
  return signed(receipts, terms, pins.key) as Receipt;
}

/**
 * Returns the receipt of an order, with its promises at the placing. Undefined for an unallocated payment, which was promised
 * nothing, and if the signing key no longer exists.
 */
export function orderReceipt(receipts: Receipts, { view, number, createdAt, unallocatedOf }: StoredOrder): Receipt | undefined {
  const { give, get, kind, pinned } = view;
  const { terms: price, receipt: pins, lockUntil } = pinned;
  if (kind === 'unallocated' || !get || !price || !pins) return undefined;
  const inGive = (parts: bigint): Money => money(give.unit, parts);
  // An order made of an unallocated payment is exchanged at once, so no rate is locked for it.
  const isLocked = unallocatedOf === undefined;
  const promised: Promised = {
    give,
    get,
    breakdown: breakdownForGive(inGive(give.parts), price),
    terms: price,
    ratesVersion: pinned.ratesVersion,
    minimum: inGive(pinned.minimum),
    shortPercent: pinned.shortPercent,
    refundCost: inGive(pinned.refundCost),
    minRefund: inGive(pinned.minRefund),
    ...(isLocked && { tolerance: inGive(pinned.tolerance) }),
    confirmWithin: pinned.confirmWithin,
    canGoOn: isLocked && pins.isHeld && !view.facts.askMe,
    ...(pinned.promised && { promised: pinned.promised }),
    pins,
  };
  const terms: ReceiptTerms = {
    ...headOf('order', number, pins),
    placed_at: createdAt.toISOString(),
    ...(isLocked && { locked_until: lockUntil.toISOString() }),
    ...termsOf(promised),
  };
  return signed(receipts, terms, pins.key);
}

/** Returns the public keys for checking receipts, older ones included. */
export const receiptKeys = ({ signatures }: Receipts) =>
  signatures.publicKeys.map(({ id, key }) => ({ key_id: id, algorithm: 'Ed25519' as const, public_key: key }));

const headOf = (kind: ReceiptTerms['kind'], id: string, { issuer }: ReceiptPins) =>
  ({ type: 'kurs-receipt', version: 1, kind, issuer: { name: issuer.name, url: issuer.url }, id }) as const;

/** Returns the receipt's terms. Their sequence is part of the signed text, so it must not change. */
function termsOf(promised: Promised) {
  const { give, get, breakdown, terms, pins, tolerance, promised: time } = promised;
  const [giveDigits, getDigits] = [give, get].map(({ currency }) => currencyOf(currency)?.payDigits ?? 0);
  const given = (amount: Money) => ({ amount: format(amount, giveDigits), currency: give.currency });
  const discount = totalOf(breakdown.components, 'discount');
  const { fees, discounts } = componentsWire(breakdown.components, { ...give, digits: terms.giveDigits });
  const shortest = larger(money(give.unit, minimumEnough(breakdown.give.parts, promised.shortPercent)), promised.minimum);
  return {
    give: given(breakdown.give),
    get: { amount: format(breakdown.get, getDigits), currency: get.currency },
    rate: rateWire(breakdown.rate),
    rates_version: promised.ratesVersion,
    fees,
    ...(discount > 0n && { discount: given(money(give.unit, discount)), discounts }),
    exchanged: given(breakdown.exchanged),
    limits: { min: given(promised.minimum).amount, max: given(money(give.unit, pins.maximum)).amount },
    reserve_held: pins.isHeld,
    policy_version: pins.policy,
    rules: {
      late: {
        first_confirmation_minutes: promised.confirmWithin / 60_000,
        offer_seconds: pins.offer / 1_000,
        choose_hours: pins.choice / 3_600_000,
      },
      short: { ...(promised.canGoOn && { goes_on_from: given(shortest) }) },
      ...(tolerance && { more: { up_to: given(tolerance) } }),
      ...(pins.clearing !== undefined && { payout: { waits_hours: pins.clearing / 3_600_000 } }),
      refund: { costs: given(promised.refundCost), smallest: given(promised.minRefund) },
      ...(time && { time: { minutes: time.seconds / 60, after_approval: time.hasApproval === true } }),
    },
  };
}

function signed({ signatures }: Receipts, terms: ReceiptTerms, keyId: string): Receipt | undefined {
  const bytes = Buffer.from(JSON.stringify(terms));
  const signature = signatures.sign(bytes, keyId);
  return signature === undefined ? undefined : { payload: bytes.toString('base64url'), signature, key_id: keyId };
}
