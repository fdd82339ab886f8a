// Placing an order: a calculation whose three steps are done becomes one order, once.

import { Problem, returnPages } from '@kurs/contract';
import { type Money, assetOf, convert, fraction, larger, parse, scaleBy, smaller } from '@kurs/money';
import { JournalRefused, type UnitOfWork, alone } from '../../collecting/index.ts';
import { type SteppedUp, stepUp } from '../../auth/index.ts';
import {
  type AllowedHold,
  type Partner,
  type PayerHistory,
  type Subject,
  beginUnpaid,
  customerOf,
  isReversible,
  lockMinutes,
  requireNoDebts,
  reserveLimits,
  mayHold,
  takeHold,
} from '../../compliance/index.ts';
import { MONEY_OUT } from '../../moneyout/index.ts';
import { canSend, currencyOf, openPayin } from '../../payments/index.ts';
import { type Db, type Sealer, type Tx, allEnded, alsoAbout, isDuplicate, newId } from '../../platform/index.ts';
import { closedNow, currentTerms, directionOf, movedAgainstDesk, readReserve, takesMoreNow } from '../../pricing/index.ts';
import { latest, mid } from '../../rates/index.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { accountKey, lockOf, limitsSubject, usedProblem } from '../calculation/calculate.ts';
import { type Complete, heldBreakdown, priceContextOf, requireComplete } from '../calculation/calculation.ts';
import { holdCoupons } from '../calculation/coupon-of.ts';
import { markUsed } from '../calculation/calculation-store.ts';
import { DeskState } from '../apply/desk-state.ts';
import type { Sender } from '../letters/letters.ts';
import { freshFacts } from '../machine/derived-orders.ts';
import { EMPTY, type OrderView, type Side } from '../order/order.ts';
import type { ReceiptPins } from '../order/receipt-pins.ts';
import { type StoredOrder, orderOfCalculation } from '../order/order-store.ts';
import { notePartnerOrder } from '../order/partner-orders.ts';
import { Unconfirmed, passDoor, payFromWallet, payingHolder, walletPins } from './pay-from-wallet.ts';
import { payerHistory } from '../calculation/payer-history.ts';
import * as postings from '../machine/postings.ts';
import { applyLegs } from '../machine/postings.ts';
import { type Receipts, receiptPins } from '../calculation/receipt.ts';
import { settings } from '../machine/settings.ts';

export interface PlaceDeps {
  readonly db: Db;
  /** Opens second factors, for orders that are paid from a wallet. */
  readonly sealer: Sealer;
  readonly sender: Sender;
  readonly receipts: Receipts;
}

/** Which calculation, and whether an earlier try of the same call may have placed its order already. */
export interface PlaceInput {
  readonly id: string;
  readonly token?: string | undefined;
  readonly repeated?: boolean | undefined;
  /** The account holder who places it, signed in: the order is theirs. */
  readonly holderId?: string | undefined;
  /** The account holder whose program places it for a customer of theirs. */
  readonly partner?: Partner | undefined;
  /** The session that they ask by: a code is good in the one that it was mailed for. */
  readonly sessionId?: string | undefined;
  /** What confirms one that is paid from a wallet. */
  readonly two_factor_code?: string | undefined;
  readonly otp?: string | undefined;
}

const ATTEMPTS = 3;

/**
 * Places the order of a calculation. Checks again that the direction is open and that neither market nor spread and costs
 * have moved against the desk since the quote, counts limits and unpaid orders, takes an address, and promises the reserve,
 * all in one transaction. Throws `calculation_*`, `quote_expired`, `market_moved`, `direction_closed`, `rates_unavailable`,
 * `too_many_unpaid_orders`, `debt_stops` for anyone who is shown to owe, and `validation` on `amount` beyond the limits;
 * nothing exists then. One that is paid from a wallet is paid at once: it throws as `stepUp` and `passOut`, too, and
 * `not_enough_money`.
 */
export async function placeOrder(deps: PlaceDeps, input: PlaceInput): Promise<StoredOrder> {
  let paying: SteppedUp | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await alone(deps.db, (unit) => place(unit, deps, { ...input, paying }, attempt));
    } catch (error) {
      if (error instanceof Unconfirmed && !paying) {
        const who = { id: error.holderId, sessionId: input.sessionId ?? '' };
        paying = await stepUp(deps, who, input, { purpose: MONEY_OUT, about: input.id });
        attempt = 0;
        continue;
      }
      const again = isDuplicate(error, 'customer_order_number_key') || error instanceof JournalRefused;
      if (!again || attempt === ATTEMPTS) throw error;
    }
  }
}

async function place(
  unit: UnitOfWork,
  { sender, receipts }: Pick<PlaceDeps, 'sender' | 'receipts'>,
  input: PlaceInput & { readonly paying: SteppedUp | undefined },
  attempt: number,
): Promise<StoredOrder> {
  const { tx } = unit;
  const locked = await lockOf(tx, sender.tokens, input);
  if (locked.orderId !== undefined) {
    const placed = input.repeated ? await orderOfCalculation(tx, locked.id) : undefined;
    if (placed) return placed;
    throw await usedProblem(tx, sender.tokens, locked.id);
  }
  const calculation = requireComplete(locked, tx.now);
  requireSamePrice(calculation);
  const id = newId();
  const holderId = payingHolder(calculation, input.holderId);
  const subject: Subject = { ...(await limitsSubject(tx, calculation, input.holderId)), partner: input.partner };
  const number = newNumber();
  alsoAbout({ orderId: id, orderNumber: number });
  const asked: Asked = { id, number, calculation, subject, isHoldable: attempt === 1 };
  const [, granted] = await allEnded([
    requireNoDebts(tx, subject),
    holderId === undefined ? grantOutside(tx, asked) : grantFromWallet(tx, asked, holderId, input.paying),
  ]);
  const breakdown = heldBreakdown(calculation.held);
  const { get } = breakdown;
  const couponed = { breakdown, terms: calculation.held.terms, usd: calculation.held.usd.parts };
  const coupons = await holdCoupons(tx, calculation, couponed, { owner: { kind: 'order', id }, subject });
  const placed = viewOf(calculation, id, tx.now, granted.lockMinutes, receiptPins(receipts, calculation.held, granted.held));
  const view = {
    ...placed,
    pinned: { ...placed.pinned, ...walletPins(calculation, granted.people), ...(coupons.length > 0 && { coupons }) },
  };
  const promise = granted.held ? postings.reserve(view, get.parts).legs : [];
  const order: StoredOrder = {
    view: { ...view, positions: applyLegs(view, promise) },
    number,
    email: calculation.email,
    locale: calculation.locale,
    usd: calculation.held.usd.parts,
    createdAt: tx.now,
    updatedAt: tx.now,
    calculationId: calculation.id,
    tokenVersion: 1,
    ...granted.instruction,
    ...(input.holderId !== undefined && { holderId: input.holderId }),
    ...(calculation.device !== undefined && { device: calculation.device }),
    ...(calculation.ip !== undefined && { ip: calculation.ip }),
  };
  const batch = new Batch(unit, new DeskState(tx.now), sender, []);
  batch.create(order, 'placed', promise, { who: 'C' });
  if (holderId === undefined) batch.letter(id, 'placed');
  else await payFromWallet(tx, batch, order);
  if (input.partner) await notePartnerOrder(tx, { orderId: id, holderId: input.partner.id });
  markUsed(tx, calculation.id, id);
  await batch.save();
  if (granted.hold) takeHold(tx, granted.hold);
  return batch.order(id);
}

interface Asked {
  readonly id: string;
  readonly number: string;
  readonly calculation: Complete;
  /** Who asks. */
  readonly subject: Subject;
  /** Not after the ledger has refused it: the reserve is promised to others, so it is placed without a hold. */
  readonly isHoldable: boolean;
}

/** What an order is granted: a hold and the time of its lock, and how many people must let it out of a wallet. */
interface Granted {
  /** Whether reserve is set aside for it. Without it, reserve is taken when the payment is final. */
  readonly held: boolean;
  /** What is to be taken for it last, of one that may stay unpaid. */
  readonly hold?: AllowedHold | undefined;
  readonly lockMinutes: number;
  readonly people?: 0 | 1 | 2;
  /** Where it is paid, unless from a wallet. */
  readonly instruction?: Pick<StoredOrder, 'payTo' | 'payMemo'>;
}

/** An order that is paid from outside may stay unpaid, which is counted. Who pays may have a history that limits it. */
async function grantOutside(tx: Tx, { id, number, calculation, subject, isHoldable }: Asked): Promise<Granted> {
  const payer = await payerHistory(tx, calculation.from, calculation.email);
  const { give, get } = heldBreakdown(calculation.held);
  const owner = { kind: 'order', id };
  const reserve = isHoldable ? readReserve(tx, calculation.to) : 0n;
  const [, lockMinutes, hold] = await allEnded([
    countLimits(tx, { id, calculation, subject }, payer),
    beginUnpaid(tx, owner, subject),
    mayHold(tx, { owner, subject, unit: get.unit, parts: get.parts, reserve }),
  ]);
  const until = lockedUntil(tx.now, lockMinutes);
  const instruction = await payTo(tx, calculation, { id, number, parts: give.parts, until, customerKey: customerOf(subject) });
  return { held: hold !== undefined, hold, lockMinutes, instruction };
}

const lockedUntil = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

/** An order that is paid from a wallet is never unpaid: it goes through the door, and is promised or not placed. */
async function grantFromWallet(
  tx: Tx,
  { id, calculation, subject }: Asked,
  holderId: string,
  paying: SteppedUp | undefined,
): Promise<Granted> {
  const { people } = await passDoor(tx, paying, { id, holderId, calculation });
  const [reserve] = await Promise.all([readReserve(tx, calculation.to), countLimits(tx, { id, calculation, subject })]);
  if (heldBreakdown(calculation.held).get.parts > reserve)
    throw new Problem('direction_closed', { params: { reason: 'reserve' } });
  return { held: true, lockMinutes: lockMinutes(), people };
}

/** Counts the order in the limits of everybody it belongs to: who refunds to where another has paid from shares theirs. */
function countLimits(
  tx: Tx,
  { id, calculation, subject }: Omit<Asked, 'number' | 'isHoldable'>,
  payer?: PayerHistory,
): Promise<void> {
  const sources = accountKey(calculation.from, calculation.refund);
  return reserveLimits(tx, subject, calculation.held.usd, { kind: 'order', id }, { sources, payer });
}

/** Where the order is paid: an address or account of its own, from its rail. */
async function payTo(
  tx: Tx,
  { from, locale, refund }: Complete,
  { id, number, parts, until, customerKey }: { id: string; number: string; parts: bigint; until: Date; customerKey: string },
): Promise<Pick<StoredOrder, 'payTo' | 'payMemo'>> {
  const { to, memo } = await openPayin(tx, {
    owner: { kind: 'order', id },
    currency: from,
    parts,
    customerKey,
    request: { label: number, back: returnPages(number, locale), locale, until, payer: refund?.fields ?? {} },
  });
  return { payTo: to, ...(memo !== undefined && { payMemo: memo }) };
}

/** Throws unless the direction still takes orders at about the quoted rate, and about as dear to the desk. */
function requireSamePrice(calculation: Complete): void {
  const { from, to, held } = calculation;
  const context = priceContextOf(calculation, held.level);
  const closed = closedNow(directionOf(from, to), context);
  if (closed)
    throw new Problem(closed.startsWith('rates') ? 'rates_unavailable' : 'direction_closed', { params: { reason: closed } });
  const current = currentTerms(from, to, context);
  if (!current) throw new Problem('rates_unavailable');
  if (movedAgainstDesk(held.terms.rate, current.terms.rate, assetOf(held.terms.giveUnit))) throw new Problem('market_moved');
  if (takesMoreNow(held.give, held.terms, current.terms)) throw new Problem('market_moved');
}

function viewOf(calculation: Complete, id: string, now: Date, lockMinutes: number, receipt: ReceiptPins): OrderView {
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
      ...(held.madeFrom && { madeFrom: held.madeFrom }),
      minimum: held.minimum.parts,
      ...(held.shortPercent !== undefined && { shortPercent: held.shortPercent }),
      tolerance: toleranceOf(give),
      refundCost: held.refundCost.parts,
      refundLeast: held.refundLeast.parts,
      confirmWithin: settings.get('exchange.confirm_minutes') * 60_000,
      outageWithin: settings.get('exchange.outage_minutes') * 60_000,
      reversible: isReversible(from),
      ...(!canSend(from) && { takesOnly: true as const }),
      ...(held.promised && { promised: held.promised }),
      ...(held.sent && { sent: held.sent }),
      receipt,
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

/** How much too much the locked rate also takes: a share, at least and at most so many USD. */
function toleranceOf(give: Money): bigint {
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  const toGive = mid(snapshot, 'USD', assetOf(give.unit));
  const inGive = (key: 'exchange.tolerance_least_usd' | 'exchange.tolerance_most_usd') =>
    convert(parse('USD', settings.get(key)), 'USD', toGive, give.unit, 'down');
  const share = scaleBy(give, fraction(BigInt(settings.get('exchange.tolerance_percent')), 100n), 'down');
  return smaller(larger(share, inGive('exchange.tolerance_least_usd')), inGive('exchange.tolerance_most_usd')).parts;
}
