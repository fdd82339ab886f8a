import { Problem } from '@kurs/contract';
import { type Money, type PriceTerms, type Rate, assetOf, compare, convert, money, smaller } from '@kurs/money';
import { type Level, isReversible, limitsOf, mostReversible, takesReversible } from '../compliance/index.ts';
import { type CurrencyInfo, canSend, currencyOf, isChain, takesOrders } from '../payments/index.ts';
import { type ClosedReason, type Snapshot, dealable, latest, mid, now } from '../rates/index.ts';
import { type Bounds, type RefundTerms, boundsOf, refundTermsFrom, visitorShare } from './bounds.ts';
import type { Currency, Direction } from './direction.ts';
import { type OwnMoney, reserveFrom } from './reserve.ts';
import { type RailCost, railCostOf } from './rail-costs.ts';
import { settings } from './settings.ts';
import { slipOrNone } from './slip-or-none.ts';
import type { NetworkCost } from './store.ts';
import { type NetworkCosts, type RailCosts, type Side, costInUnit, termsOf } from './terms.ts';

/** Everything but the rates that decides prices and promises, as of one moment. */
export interface View {
  readonly currencies: ReadonlyMap<string, Currency>;
  readonly directions: readonly Direction[];
  readonly ownMoney: ReadonlyMap<string, OwnMoney>;
  /** What each currency's rail confirmed as payable. */
  readonly payable: ReadonlyMap<string, bigint>;
  /** What lies at deposit addresses or between places: no reserve until it is collected. */
  readonly arriving: ReadonlyMap<string, bigint>;
  readonly networkCosts: ReadonlyMap<string, NetworkCost>;
  readonly railCosts: readonly RailCost[];
  readonly railsUp: ReadonlySet<string>;
  readonly railsSending: ReadonlySet<string>;
  /** Currencies of which the rail has had less than the books for too long. */
  readonly off: ReadonlySet<string>;
  /** Median minutes from final payment to payout, by slug, where there are enough samples. */
  readonly usualMinutes: ReadonlyMap<string, number>;
}

/** Why a direction takes no new orders: a key of the contract's words under `closed`. */
export type DirectionClosed =
  | ClosedReason
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

/** Why a priced direction takes no orders, as far as only time can change it. */
interface Standing {
  /** What speaks against it before the rates, or the rates themselves. */
  readonly reason: DirectionClosed | undefined;
  /** Milliseconds of the product's clock until which its rates are young enough. */
  readonly until: number;
  /** What speaks against it when they are. */
  readonly further: DirectionClosed | undefined;
}

let view: View | undefined;
let priced = new Map<Direction, Priced[]>();
let pricedAt: Snapshot | undefined;

/** Puts a new view in place; prices are made anew from it. */
export function useView(given: View | undefined): void {
  view = given;
  priced = new Map();
}

/** This process's view. Throws `unavailable` before there is one. */
export function currentView(): View {
  if (!view) throw new Problem('unavailable', { cause: new Error('watchPricing has not read anything yet') });
  return view;
}

/** The direction of a pair. Throws `direction_unknown`. */
export function directionOf(from: string, to: string): Direction {
  const found = currentView().directions.find((one) => one.from === from && one.to === to);
  if (!found) throw new Problem('direction_unknown');
  return found;
}

/** A currency as customers know it, with what its rail says; undefined where nobody carries it. */
export function listedCurrency(code: string): (Currency & CurrencyInfo) | undefined {
  const [shown, carried] = [currentView().currencies.get(code), currencyOf(code)];
  return shown && carried && { ...shown, ...carried };
}

/** What the desk can promise in a currency now, in the view; or once what is being collected has arrived, too. */
export function reserveOf(code: string, withArriving = false): Money {
  const info = carried(code);
  const own = currentView().ownMoney.get(info.unit) ?? { free: 0n, spent: 0n };
  const arriving = withArriving ? (currentView().arriving.get(code) ?? 0n) : 0n;
  const parts = reserveFrom(
    own,
    (currentView().payable.get(code) ?? 0n) + arriving,
    settings.get('pricing.reserve_margin_percent'),
  );
  return money(info.unit, parts);
}

/** What a refund in a currency costs and the smallest one, or undefined while the network's cost is not known. */
export function refundTerms(code: string): RefundTerms | undefined {
  const [snapshot, cost] = [latest(), sendingCost(code)];
  return snapshot && cost && refundTermsOf(carried(code), cost, snapshot);
}

/** What sending a currency costs now; what its rail can't send at all costs nothing to send. */
function sendingCost(code: string): NetworkCost | undefined {
  return canSend(code) ? currentView().networkCosts.get(code) : { fuel: carried(code).unit, parts: 0n };
}

function refundTermsOf(info: CurrencyInfo, cost: NetworkCost, snapshot: Snapshot): RefundTerms {
  return refundTermsFrom(costInUnit(cost, snapshot, sideOf(info)), money(info.unit, info.dust));
}

function carried(code: string): CurrencyInfo {
  const info = currencyOf(code);
  if (!info) throw new Problem('internal', { cause: new Error(`No rail carries ${code}`) });
  return info;
}

const sideOf = ({ unit, payDigits }: CurrencyInfo): Side => ({ unit, digits: payDigits });

/** Why a direction can't even be priced: no rail, no network cost, no rate ever. */
type Unpriced = { readonly reason: DirectionClosed };

/**
 * A direction with its price for a customer of a level, made once per snapshot and view. Prices are made of rates that
 * are closed too, so that a page can go on showing them; dealing asks `closedNow`.
 */
export function price(direction: Direction, level: Level = 0): Priced | Unpriced {
  const snapshot = latest();
  if (snapshot !== pricedAt) {
    priced = new Map();
    pricedAt = snapshot;
  }
  const known = priced.get(direction)?.[level];
  if (known) return known;
  const made = makePrice(direction, level, snapshot, {});
  if (!('terms' in made)) return made;
  const levels = priced.get(direction) ?? [];
  levels[level] = made;
  priced.set(direction, levels);
  return made;
}

/** Sides of an exchange that are its holder's own wallets. */
export type WalletSides = 'give' | 'get' | 'both';

/** Whether a side is among them. */
export const isWallet = (wallet: WalletSides | undefined, side: 'give' | 'get'): boolean => wallet === side || wallet === 'both';

/** What a price is made with in place of what the view says. */
export interface Instead {
  readonly railCosts?: readonly RailCost[] | undefined;
  /** What sending to the very account costs. */
  readonly sending?: NetworkCost | undefined;
  /** Sides that are wallets of ours: no rail carries them, so neither network nor provider takes anything. */
  readonly wallet?: WalletSides | undefined;
}

/** The price of a direction as it would be with something else than the view has; not kept. */
export function priceInstead(direction: Direction, level: Level, instead: Instead): Priced | Unpriced {
  return makePrice(direction, level, latest(), instead);
}

function makePrice(direction: Direction, level: Level, snapshot: Snapshot | undefined, instead: Instead): Priced | Unpriced {
  const [give, get] = [currencyOf(direction.from), currencyOf(direction.to)];
  if (!give || !get) return { reason: 'rail_off' };
  if (!snapshot) return { reason: 'rates' };
  const costs = networkCostsOf(give, get, instead.sending);
  if (!costs) return { reason: 'rail_down' };
  const fuels = [costs.refund.fuel, ...(costs.payout ? [costs.payout.fuel] : [])];
  const needed = [give.unit, get.unit, ...fuels].map(assetOf);
  if (needed.some((asset) => !snapshot.body.assets[asset])) return { reason: 'rates' };
  const lines = instead.railCosts ?? currentView().railCosts;
  const [fromWallet, intoWallet] = [isWallet(instead.wallet, 'give'), isWallet(instead.wallet, 'get')];
  const rails = {
    payin: fromWallet ? undefined : railCostOf(lines, give.code, 'payin'),
    payout: intoWallet ? undefined : railCostOf(lines, get.code, 'payout'),
  };
  const networks = { sweep: fromWallet ? undefined : costs.sweep, payout: intoWallet ? undefined : costs.payout };
  const terms = termsOf(direction, sideOf(give), sideOf(get), { ...networks, rails }, snapshot);
  const giveUsd = mid(snapshot, assetOf(give.unit), 'USD');
  const reserve = reserveOf(direction.to);
  const rest = {
    direction,
    terms,
    dust: { give: money(give.unit, give.dust), get: money(get.unit, get.dust) },
    smallestRefund: refundTermsOf(give, costs.refund, snapshot).smallest,
    levelLimit: convert(mostOf(give.code, level), 'USD', giveUsd, give.unit, 'down'),
  };
  const shareOf = (whole: Money): Money => (level === 0 ? visitorShare(whole) : whole);
  const mostOfReserve = shareOf(reserve);
  const bounds = boundsOf({ ...rest, reserve: mostOfReserve });
  const arrived = (): Bounds => boundsOf({ ...rest, reserve: shareOf(reserveOf(direction.to, true)) });
  const [minGet, maxGet] =
    compare(bounds.min, bounds.max) <= 0 ? [slipOrNone(bounds.min, terms)?.get, slipOrNone(bounds.max, terms)?.get] : [];
  // Costs by percent may leave nothing of any amount.
  const isEaten = minGet === undefined;
  const standing = standingOf(direction, { give, get, snapshot, bounds, isEaten }, arrived);
  const none = money(get.unit, 0n);
  const brings = { minGet: minGet ?? none, maxGet: maxGet ?? none };
  return { direction, give, get, snapshot, terms, rails, bounds, ...brings, reserve, mostOfReserve, giveUsd, standing };
}

function standingOf(
  direction: Direction,
  { give, get, snapshot, bounds, isEaten }: Pick<Priced, 'give' | 'get' | 'snapshot' | 'bounds'> & { readonly isEaten: boolean },
  arrived: () => Bounds,
): Standing {
  const rates = dealable(snapshot, [assetOf(give.unit), assetOf(get.unit)]);
  const isEmpty = compare(bounds.min, bounds.max) > 0;
  const further = isEmpty && bounds.maxBy === 'reserve' ? lacking(arrived) : 'costs';
  return {
    reason: switchedOff(direction) ?? rates.reason,
    until: rates.until,
    further: isEmpty || isEaten ? further : undefined,
  };
}

/** Without a reserve: whether it comes with what is being collected, or when the desk says that it tops it up. */
function lacking(arrived: () => Bounds): DirectionClosed {
  const { min, max } = arrived();
  if (compare(min, max) <= 0) return 'reserve_arriving';
  const said = settings.get('pricing.refill');
  return said === 'unsaid' ? 'reserve' : `reserve_${said}`;
}

/** What one order of a customer may be worth: of a currency that can be taken back, what one may pay in it. */
function mostOf(currency: string, level: Level): Money<'USD'> {
  const { perOrder } = limitsOf(level);
  return isReversible(currency) ? smaller(perOrder, mostReversible(level)) : perOrder;
}

/** Whether people let money leave on a currency's rail. */
export const isSending = ({ rail }: Pick<CurrencyInfo, 'rail'>): boolean => currentView().railsSending.has(rail);

/** What people and rails say, without looking at the price. */
function switchedOff(direction: Direction): DirectionClosed | undefined {
  const { railsUp, railsSending, off } = currentView();
  if (!direction.isOn) return 'switched_off';
  const [give, get] = [currencyOf(direction.from), currencyOf(direction.to)];
  if (!give || !get || !takesOrders(give.rail) || !takesOrders(get.rail)) return 'rail_off';
  if (isReversible(give.code) && !takesReversible()) return 'exposure';
  if (!railsUp.has(give.rail) || !railsUp.has(get.rail)) return 'rail_down';
  if (off.has(get.code)) return 'difference';
  return railsSending.has(get.rail) ? undefined : 'payouts_off';
}

function networkCostsOf(
  give: CurrencyInfo,
  get: CurrencyInfo,
  sending?: NetworkCost,
): (NetworkCosts & { refund: NetworkCost }) | undefined {
  const { networkCosts } = currentView();
  const payout = sending ?? networkCosts.get(get.code);
  const refund = sendingCost(give.code);
  if (!payout || !refund) return undefined;
  const sweepPercent = BigInt(settings.get('pricing.sweep_percent'));
  const sweep =
    give.arrivesAt === 'deposit' ? { fuel: refund.fuel, parts: (refund.parts * sweepPercent + 99n) / 100n } : undefined;
  return { payout: isChain(get.code) ? payout : undefined, refund, sweep };
}

/** Why a direction takes no new orders now, or undefined while it is open. */
export function closedNow(direction: Direction, level: Level = 0): DirectionClosed | undefined {
  return closedAt(direction, price(direction, level));
}

/** Why a direction takes no new orders at this price of it, or undefined. */
export function closedAt(direction: Direction, made: Priced | Unpriced): DirectionClosed | undefined {
  if (!('terms' in made)) return switchedOff(direction) ?? made.reason;
  const { reason, until, further } = made.standing;
  return reason ?? (now().getTime() > until ? 'rates_old' : further);
}

/** The price of a direction that has one; throws `rates_unavailable` or `direction_closed` for one that has none. */
export function priceOrThrow(direction: Direction, level: Level = 0): Priced {
  const made = price(direction, level);
  if (!('terms' in made)) throw closedProblem(made.reason);
  return made;
}

/** The problem that a closed direction is told as. */
export function closedProblem(reason: DirectionClosed): Problem {
  return new Problem(reason.startsWith('rates') ? 'rates_unavailable' : 'direction_closed', { params: { reason } });
}
