// Builds a new order: from its calculation, its receiving address and its promise.

import { Problem } from '@kurs/contract';
import { type Money, assetOf, convert, fraction, larger, parse, scaleBy, smaller } from '@kurs/money';
import { isReversible } from '../../compliance/index.ts';
import type { Leg } from '../../ledger/index.ts';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest, mid } from '../../rates/index.ts';
import { type Complete, heldBreakdown } from '../calculation/calculation.ts';
import { type Receipts, receiptPins } from '../calculation/receipt.ts';
import { freshFacts } from '../machine/derived-orders.ts';
import * as postings from '../machine/postings.ts';
import { settings } from '../machine/settings.ts';
import { EMPTY, type OrderView, type Side } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { walletPins } from './pay-from-wallet.ts';

/** Data for a new order. */
export interface NewOrder {
  readonly id: string;
  readonly number: string;
  readonly calculation: Complete;
  /** The signed-in account holder who places the order. */
  readonly holderId: string | undefined;
  /** True if a partner's program places the order for a customer. */
  readonly isByPartner: boolean;
  /** True if the customer has proven to read the mailbox of the order's e-mail address. */
  readonly isMailboxShown: boolean;
  readonly lockMinutes: number;
  /** True if the payout amount is reserved at the placing; otherwise it is reserved when the payment is final. */
  readonly isHeld: boolean;
  /** For an order paid from a wallet: number of people who must approve that the money leaves. */
  readonly people?: 0 | 1 | 2 | undefined;
  /** Address to pay to; absent for an order paid from a wallet. */
  readonly instruction?: Pick<StoredOrder, 'payTo' | 'payMemo'> | undefined;
  /** Uses of coupons that are held for the order. */
  readonly coupons: NonNullable<OrderView['pinned']['coupons']>;
}

/** Returns the order, and the legs that reserve its payout amount. */
export function newOrder(receipts: Receipts, made: NewOrder, now: Date): { order: StoredOrder; promise: readonly Leg[] } {
  const { number, calculation, holderId, isHeld, people, instruction, coupons } = made;
  const placed = viewOf(receipts, made, now);
  const pinned = { ...placed.pinned, ...walletPins(calculation, people), ...(coupons.length > 0 && { coupons }) };
  const view = { ...placed, pinned };
  const promise = isHeld ? postings.reserve(view, heldBreakdown(calculation.held).get.parts).legs : [];
  const order: StoredOrder = {
    view: { ...view, positions: postings.applyLegs(view, promise) },
    number,
    email: calculation.email,
    locale: calculation.locale,
    usd: calculation.held.usd.parts,
    createdAt: now,
    updatedAt: now,
    calculationId: calculation.id,
    tokenVersion: 1,
    ...instruction,
    ...(holderId !== undefined && { holderId }),
    ...(calculation.device !== undefined && { device: calculation.device }),
    ...(calculation.ip !== undefined && { ip: calculation.ip }),
  };
  return { order, promise };
}

/** Returns the end of a rate lock. */
export const lockedUntil = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

function viewOf(
  receipts: Receipts,
  { id, calculation, lockMinutes, isHeld, isByPartner, isMailboxShown }: NewOrder,
  now: Date,
): OrderView {
  const { from, to, receive, refund, askMe, held } = calculation;
  const { give, get } = heldBreakdown(held);
  return {
    id,
    kind: 'order',
    state: 'awaiting',
    version: 1,
    give: sideOf(from, give),
    get: sideOf(to, get),
    receive,
    ...(refund && { refund }),
    pinned: {
      lockUntil: lockedUntil(now, lockMinutes),
      terms: held.terms,
      ratesVersion: held.ratesVersion,
      madeFrom: held.madeFrom,
      minimum: held.minimum.parts,
      shortPercent: held.shortPercent,
      tolerance: toleranceOf(give),
      refundCost: held.refundCost.parts,
      minRefund: held.minRefund.parts,
      confirmWithin: settings.get('exchange.confirm_minutes') * 60_000,
      outageWithin: settings.get('exchange.outage_minutes') * 60_000,
      isReversible: isReversible(from),
      ...(!canSend(from) && { isReceiveOnly: true as const }),
      ...(held.promised && { promised: held.promised }),
      ...(isMailboxShown && { isMailboxProven: true as const }),
      ...(held.sent && { sent: { ...held.sent, ...(isByPartner && { isByPartner: true as const }) } }),
      receipt: receiptPins(receipts, held, isHeld),
    },
    payments: [],
    positions: EMPTY,
    facts: freshFacts(now, { askMe }),
  };
}

function sideOf(code: string, amount: Money): Side {
  const info = currencyOf(code);
  if (!info) throw new Problem('direction_closed', { params: { reason: 'rail_off' } });
  return { currency: code, unit: amount.unit, rail: info.rail, parts: amount.parts };
}

/**
 * Returns the overpayment that the locked rate still covers, in parts given. It is a percentage of the amount given, with a
 * minimum and a maximum set in USD.
 */
function toleranceOf(give: Money): bigint {
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  const toGive = mid(snapshot, 'USD', assetOf(give.unit));
  const inGive = (key: 'exchange.tolerance_least_usd' | 'exchange.tolerance_most_usd') =>
    convert(parse('USD', settings.get(key)), 'USD', toGive, give.unit, 'down');
  const share = scaleBy(give, fraction(BigInt(settings.get('exchange.tolerance_percent')), 100n), 'down');
  return smaller(larger(share, inGive('exchange.tolerance_least_usd')), inGive('exchange.tolerance_most_usd')).parts;
}
