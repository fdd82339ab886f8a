// Makes the price of a direction from its inputs and a context: terms and bounds, and the reason if the direction is closed.
// Pure.

import { type Money, type PriceTerms, type Rate, assetOf, compare, convert, money } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { CurrencyInfo } from '../../payments/index.ts';
import { type ClosedReason, type Snapshot, dealable, mid } from '../../rates/index.ts';
import { type Bounds, type RefundTerms, boundsOf, refundTermsFrom, visitorShare } from './bounds.ts';
import { COMPONENTS, type ComponentSource, type Deal, type RailCosts } from './components.ts';
import { type PriceContext, isWallet } from './context.ts';
import type { Direction } from '../directions/direction.ts';
import type { Carried, PriceInputs } from '../known/known.ts';
import { USUAL_PURPOSE } from '../known/purpose.ts';
import { railCostOf } from '../known/rail-costs.ts';
import { reserveFrom } from '../known/reserve.ts';
import { breakdownOrNone } from './breakdown-or-none.ts';
import type { NetworkCost } from '../directions/store.ts';
import { termsOf } from './terms.ts';
import { costInUnit } from './units.ts';
import type { View } from '../known/view.ts';

/** Reason why a direction takes no new orders: a key of the contract's words under `closed`. */
export type DirectionClosed =
  | ClosedReason
  | 'stopped'
  | 'switched_off'
  | 'rail_off'
  | 'rail_down'
  | 'payouts_off'
  | 'difference'
  | 'reserve'
  | 'reserve_arriving'
  | 'reserve_hours'
  | 'reserve_day'
  | 'costs'
  | 'exposure';

/** A direction with its price and bounds at a snapshot. */
export interface Priced {
  readonly direction: Direction;
  readonly give: CurrencyInfo;
  readonly get: CurrencyInfo;
  readonly snapshot: Snapshot;
  readonly terms: PriceTerms;
  /** The rails' cost lines that the terms were made from. */
  readonly rails: RailCosts;
  readonly bounds: Bounds;
  /** Amount received for the smallest amount given. */
  readonly minGet: Money;
  /** Amount received for the largest amount given. */
  readonly maxGet: Money;
  readonly reserve: Money;
  /** Part of the reserve that one order may take, in the unit received. */
  readonly maxOfReserve: Money;
  /** Rate of the unit given in USD, at the market's middle. */
  readonly giveUsd: Rate;
  readonly status: Closure;
}

/** A direction that can't be priced. `reason`: the switch or rail that closes it, or else the missing rail, network cost or rate. */
export interface Unpriced {
  readonly reason: DirectionClosed;
}

/** Reasons why a priced direction takes no orders. Only the age of the rates depends on time. */
interface Closure {
  /** Reason that doesn't depend on time: a switch, a rail, or the market's rates. Undefined if there is none. */
  readonly reason: DirectionClosed | undefined;
  /** Time until which the price's rates are young enough, in ms of the product's clock. */
  readonly until: number;
  /** Reason that applies if there is no other: no reserve, or costs that exceed the amount. Undefined if there is none. */
  readonly further: DirectionClosed | undefined;
}

/**
 * Makes the price of a direction. A closed direction also gets a price if possible, so that pages can show it. `closedAt` returns
 * the reason why a direction is closed.
 */
export function makePrice(
  known: PriceInputs,
  direction: Direction,
  context: PriceContext = {},
  components: readonly ComponentSource[] = COMPONENTS,
): Priced | Unpriced {
  const off = switchedOff(known, direction, context.purpose ?? USUAL_PURPOSE);
  const deal = dealOf(known, direction, context);
  if ('reason' in deal) return { reason: off ?? deal.reason };
  const { give, get, snapshot, rails } = deal;
  const terms = termsOf(deal, known.rules, components);
  const { further, ...limits } = limitsOf(known, deal, terms, context.level ?? 0);
  const rates = dealable(snapshot, [assetOf(give.unit), assetOf(get.unit)]);
  const status = { reason: off ?? rates.reason, until: rates.until, further };
  return { direction, give, get, snapshot, terms, rails, ...limits, status };
}

/** Inputs for the price lines of two currencies that rails carry, with the cost of sending a refund. */
type CarriedDeal = Omit<Deal, 'rate'> & { readonly give: Carried; readonly get: Carried; readonly refund: NetworkCost };

function dealOf(
  { view, snapshot, carried, rules }: PriceInputs,
  direction: Direction,
  context: PriceContext,
): CarriedDeal | Unpriced {
  const { sending, wallet } = context;
  const [give, get] = [carried.get(direction.from), carried.get(direction.to)];
  if (!give || !get) return { reason: 'rail_off' };
  if (!snapshot) return { reason: 'rates' };
  const [payout, refund] = [sending ?? view.networkCosts.get(get.code), sendingCost(view, give)];
  if (!payout || !refund) return { reason: 'rail_down' };
  const needed = [give.unit, get.unit, refund.fuel, ...(get.isChain ? [payout.fuel] : [])].map(assetOf);
  if (needed.some((asset) => !snapshot.body.assets[asset])) return { reason: 'rates' };
  const sweep = sweepOf(give, refund, rules);
  // A side that is a wallet needs no rail.
  const [paysIn, canPayOut] = [!isWallet(wallet, 'give'), !isWallet(wallet, 'get')];
  const networks = {
    payout: canPayOut && get.isChain ? payout : undefined,
    sweep: paysIn ? sweep : undefined,
  };
  const rails = {
    payin: paysIn ? railCostOf(view.railCosts, give.code, 'payin') : undefined,
    payout: canPayOut ? railCostOf(view.railCosts, get.code, 'payout') : undefined,
  };
  return { direction, give, get, snapshot, networks, rails, context, refund };
}

type Limits = Pick<Priced, 'bounds' | 'minGet' | 'maxGet' | 'reserve' | 'maxOfReserve' | 'giveUsd'> & Pick<Closure, 'further'>;

/**
 * Returns the smallest and the largest amount for a verification level at these terms. If no amount can be exchanged, `further` of
 * the result is the reason.
 */
function limitsOf(
  known: PriceInputs,
  { direction, give, get, snapshot, refund }: CarriedDeal,
  terms: PriceTerms,
  level: Level,
): Limits {
  const { rules } = known;
  const giveUsd = mid(snapshot, assetOf(give.unit), 'USD');
  const rest = {
    direction,
    terms,
    dust: { give: money(give.unit, give.dust), get: money(get.unit, get.dust) },
    smallestRefund: refundTermsOf(known, give, refund, snapshot).smallest,
    levelLimit: convert(give.maxUsd[level], 'USD', giveUsd, give.unit, 'down'),
  };
  const reserve = reserveIn(known, get);
  const shareOf = (whole: Money): Money => (level === 0 ? visitorShare(whole, rules) : whole);
  const maxOfReserve = shareOf(reserve);
  const bounds = boundsOf({ ...rest, reserve: maxOfReserve }, rules);
  const arrived = (): Bounds => boundsOf({ ...rest, reserve: shareOf(reserveIn(known, get, true)) }, rules);
  const isEmpty = compare(bounds.min, bounds.max) > 0;
  const [min, max] = isEmpty ? [] : [breakdownOrNone(bounds.min, terms), breakdownOrNone(bounds.max, terms)];
  // Costs in percent may exceed even the smallest amount.
  const isEaten = min === undefined;
  const further = isEmpty && bounds.maxBy === 'reserve' ? lacking(known, arrived()) : isEaten ? 'costs' : undefined;
  const none = money(get.unit, 0n);
  return { bounds, minGet: min?.get ?? none, maxGet: max?.get ?? none, reserve, maxOfReserve, giveUsd, further };
}

/**
 * Returns the reason why a direction takes no new orders at this price; undefined if it is open. `now`: time in ms of the
 * product's clock.
 */
export function closedAt(made: Priced | Unpriced, now: number): DirectionClosed | undefined {
  if (!('terms' in made)) return made.reason;
  const { reason, until, further } = made.status;
  return reason ?? (now > until ? 'rates_old' : further);
}

/** Returns the amount that the desk can promise in a currency now. `withArriving`: includes money that is being collected. */
export function reserveIn({ view, rules }: PriceInputs, { code, unit }: CurrencyInfo, withArriving = false): Money {
  const own = view.ownMoney.get(unit) ?? { free: 0n, spent: 0n };
  const arriving = withArriving ? (view.arriving.get(code) ?? 0n) : 0n;
  return money(unit, reserveFrom(own, (view.payable.get(code) ?? 0n) + arriving, rules.marginPercent));
}

/** Returns the cost of a refund in a currency and the smallest refund. Undefined while the network's cost or its rate is unknown. */
export function refundTermsIn(known: PriceInputs, info: Carried): RefundTerms | undefined {
  const [cost, { snapshot }] = [sendingCost(known.view, info), known];
  if (!snapshot || !cost) return undefined;
  const isKnown = cost.fuel === info.unit || [cost.fuel, info.unit].every((unit) => snapshot.body.assets[assetOf(unit)]);
  return isKnown ? refundTermsOf(known, info, cost, snapshot) : undefined;
}

/** Returns the current cost of sending a currency; zero if its rail can't send. Undefined while the cost is unknown. */
function sendingCost(view: View, { code, unit, canSend }: Carried): NetworkCost | undefined {
  return canSend ? view.networkCosts.get(code) : { fuel: unit, parts: 0n };
}

/** Returns the cost of collecting a payment; undefined if it arrives in the hot wallet. `sending`: cost of sending the currency. */
function sweepOf(info: CurrencyInfo, sending: NetworkCost, { sweepPercent }: PriceInputs['rules']): NetworkCost | undefined {
  if (info.arrivesAt !== 'deposit') return undefined;
  return { fuel: sending.fuel, parts: (sending.parts * sweepPercent + 99n) / 100n };
}

/** Returns the cost of collecting a payment in a currency, if there is one. */
export function sweepCostIn({ view, rules }: PriceInputs, info: Carried): NetworkCost | 'unknown' | undefined {
  const sending = sendingCost(view, info);
  return sending ? sweepOf(info, sending, rules) : 'unknown';
}

function refundTermsOf({ rules }: PriceInputs, info: CurrencyInfo, cost: NetworkCost, snapshot: Snapshot): RefundTerms {
  return refundTermsFrom(costInUnit(cost, snapshot, info), money(info.unit, info.dust), rules);
}

/**
 * Returns the reason for a missing reserve. Either money that is being collected will be enough, or the operator has set when the
 * desk tops the reserve up. `min` and `max`: the bounds if the money being collected is included.
 */
function lacking({ rules }: PriceInputs, { min, max }: Bounds): DirectionClosed {
  if (compare(min, max) <= 0) return 'reserve_arriving';
  return rules.refill === 'unsaid' ? 'reserve' : `reserve_${rules.refill}`;
}

/** Returns the reason why people or rails have closed a direction, regardless of its price; undefined if they haven't. */
function switchedOff(
  { view, carried, stopped }: PriceInputs,
  direction: Direction,
  purpose: string,
): DirectionClosed | undefined {
  const { railsUp, railsSending, off } = view;
  if (stopped.has(purpose)) return 'stopped';
  if (!direction.isOn) return 'switched_off';
  const [give, get] = [carried.get(direction.from), carried.get(direction.to)];
  if (!give?.purposes.has(purpose) || !get?.purposes.has(purpose)) return 'rail_off';
  if (give.isExposed) return 'exposure';
  if (!railsUp.has(give.rail) || !railsUp.has(get.rail)) return 'rail_down';
  if (off.has(get.code)) return 'difference';
  return railsSending.has(get.rail) ? undefined : 'payouts_off';
}
