// Makes the price of a direction: what is known × for whom → terms, bounds, and why nobody can deal at it. Pure.

import { type Money, type PriceTerms, type Rate, assetOf, compare, convert, money } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { CurrencyInfo } from '../../payments/index.ts';
import { type ClosedReason, type Snapshot, dealable, mid } from '../../rates/index.ts';
import { type Bounds, type RefundTerms, boundsOf, refundTermsFrom, visitorShare } from './bounds.ts';
import { COMPONENTS, type ComponentSource, type Deal, type RailCosts } from './components.ts';
import { type PriceContext, isWallet } from './context.ts';
import type { Direction } from '../directions/direction.ts';
import type { Carried, Known } from '../known/known.ts';
import { USUAL_PURPOSE } from '../known/purpose.ts';
import { railCostOf } from '../known/rail-costs.ts';
import { reserveFrom } from '../known/reserve.ts';
import { breakdownOrNone } from './breakdown-or-none.ts';
import type { NetworkCost } from '../directions/store.ts';
import { termsOf } from './terms.ts';
import { costInUnit } from './units.ts';
import type { View } from '../known/view.ts';

/** Why a direction takes no new orders: a key of the contract's words under `closed`. */
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
  /** The rails' cost lines that the terms were made with. */
  readonly rails: RailCosts;
  readonly bounds: Bounds;
  /** What the smallest and the largest amount bring, in the unit got. */
  readonly minGet: Money;
  readonly maxGet: Money;
  readonly reserve: Money;
  /** What one order may take of the reserve. */
  readonly mostOfReserve: Money;
  /** The unit given in USD, by the middles. */
  readonly giveUsd: Rate;
  readonly standing: Standing;
}

/** Why a direction can't even be priced (no rail, no network cost, no rate ever), or what people and rails say before that. */
export interface Unpriced {
  readonly reason: DirectionClosed;
}

/** Why a priced direction takes no orders, as far as only time can change it. */
interface Standing {
  /** What speaks against it before the rates, or the rates themselves. */
  readonly reason: DirectionClosed | undefined;
  /** Milliseconds of the product's clock until which its rates are young enough. */
  readonly until: number;
  /** What speaks against it when they are. */
  readonly further: DirectionClosed | undefined;
}

/**
 * The price of a direction. Prices are made of rates that are closed too, so that a page can go on showing them; whether
 * one can deal at it is asked by `closedAt`.
 */
export function makePrice(
  known: Known,
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
  const standing = { reason: off ?? rates.reason, until: rates.until, further };
  return { direction, give, get, snapshot, terms, rails, ...limits, standing };
}

/** What an exchange between two carried currencies is priced from, and what sending a refund costs. */
type CarriedDeal = Omit<Deal, 'rate'> & { readonly give: Carried; readonly get: Carried; readonly refund: NetworkCost };

function dealOf({ view, snapshot, carried, rules }: Known, direction: Direction, context: PriceContext): CarriedDeal | Unpriced {
  const { sending, wallet } = context;
  const [give, get] = [carried.get(direction.from), carried.get(direction.to)];
  if (!give || !get) return { reason: 'rail_off' };
  if (!snapshot) return { reason: 'rates' };
  const [payout, refund] = [sending ?? view.networkCosts.get(get.code), sendingCost(view, give)];
  if (!payout || !refund) return { reason: 'rail_down' };
  const needed = [give.unit, get.unit, refund.fuel, ...(get.isChain ? [payout.fuel] : [])].map(assetOf);
  if (needed.some((asset) => !snapshot.body.assets[asset])) return { reason: 'rates' };
  const sweep = { fuel: refund.fuel, parts: (refund.parts * rules.sweepPercent + 99n) / 100n };
  // Between wallets of ours no rail carries anything.
  const [paysIn, paysOut] = [!isWallet(wallet, 'give'), !isWallet(wallet, 'get')];
  const networks = {
    payout: paysOut && get.isChain ? payout : undefined,
    sweep: paysIn && give.arrivesAt === 'deposit' ? sweep : undefined,
  };
  const rails = {
    payin: paysIn ? railCostOf(view.railCosts, give.code, 'payin') : undefined,
    payout: paysOut ? railCostOf(view.railCosts, get.code, 'payout') : undefined,
  };
  return { direction, give, get, snapshot, networks, rails, context, refund };
}

type Limits = Pick<Priced, 'bounds' | 'minGet' | 'maxGet' | 'reserve' | 'mostOfReserve' | 'giveUsd'> & Pick<Standing, 'further'>;

/** The least and the most that somebody of a level can exchange at these terms, and why nothing, where that is so. */
function limitsOf(
  known: Known,
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
    levelLimit: convert(give.mostUsd[level], 'USD', giveUsd, give.unit, 'down'),
  };
  const reserve = reserveIn(known, get);
  const shareOf = (whole: Money): Money => (level === 0 ? visitorShare(whole, rules) : whole);
  const mostOfReserve = shareOf(reserve);
  const bounds = boundsOf({ ...rest, reserve: mostOfReserve }, rules);
  const arrived = (): Bounds => boundsOf({ ...rest, reserve: shareOf(reserveIn(known, get, true)) }, rules);
  const isEmpty = compare(bounds.min, bounds.max) > 0;
  const [least, most] = isEmpty ? [] : [breakdownOrNone(bounds.min, terms), breakdownOrNone(bounds.max, terms)];
  // Costs by percent may leave nothing of any amount.
  const isEaten = least === undefined;
  const further = isEmpty && bounds.maxBy === 'reserve' ? lacking(known, arrived()) : isEaten ? 'costs' : undefined;
  const none = money(get.unit, 0n);
  return { bounds, minGet: least?.get ?? none, maxGet: most?.get ?? none, reserve, mostOfReserve, giveUsd, further };
}

/** Why a direction takes no new orders at this price of it, or undefined. `now`: milliseconds of the product's clock. */
export function closedAt(made: Priced | Unpriced, now: number): DirectionClosed | undefined {
  if (!('terms' in made)) return made.reason;
  const { reason, until, further } = made.standing;
  return reason ?? (now > until ? 'rates_old' : further);
}

/** What the desk can promise in a currency now; or once what is being collected has arrived, too. */
export function reserveIn({ view, rules }: Known, { code, unit }: CurrencyInfo, withArriving = false): Money {
  const own = view.ownMoney.get(unit) ?? { free: 0n, spent: 0n };
  const arriving = withArriving ? (view.arriving.get(code) ?? 0n) : 0n;
  return money(unit, reserveFrom(own, (view.payable.get(code) ?? 0n) + arriving, rules.marginPercent));
}

/** What a refund in a currency costs and the smallest one, or undefined while the network's cost is not known. */
export function refundTermsIn(known: Known, info: Carried): RefundTerms | undefined {
  const cost = sendingCost(known.view, info);
  return known.snapshot && cost && refundTermsOf(known, info, cost, known.snapshot);
}

/** What sending a currency costs now; what its rail can't send at all costs nothing to send. */
function sendingCost(view: View, { code, unit, canSend }: Carried): NetworkCost | undefined {
  return canSend ? view.networkCosts.get(code) : { fuel: unit, parts: 0n };
}

function refundTermsOf({ rules }: Known, info: CurrencyInfo, cost: NetworkCost, snapshot: Snapshot): RefundTerms {
  return refundTermsFrom(costInUnit(cost, snapshot, info), money(info.unit, info.dust), rules);
}

/** Without a reserve: whether it comes with what is being collected, or when the desk says that it tops it up. */
function lacking({ rules }: Known, { min, max }: Bounds): DirectionClosed {
  if (compare(min, max) <= 0) return 'reserve_arriving';
  return rules.refill === 'unsaid' ? 'reserve' : `reserve_${rules.refill}`;
}

/** What people and rails say, without looking at the price. */
function switchedOff({ view, carried, stopped }: Known, direction: Direction, purpose: string): DirectionClosed | undefined {
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
