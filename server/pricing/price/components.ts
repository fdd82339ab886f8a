// What a price is made of besides the desk's fee: one entry for each component. Pure.
//
// A new component is a new entry here. Its lines stand in the terms; from those it comes into every quote, receipt, page,
// letter and file, into the journal of the exchange and into its reversal. A line says only what differs from others of
// its kind: a name of its own (`words`: its code, under `fees` in the words of the contract and as `fee_…` in those of the
// site), another account, another payer.

import {
  type CostLine,
  DISCOUNT_KINDS,
  type DiscountLine,
  type Money,
  type Rate,
  assetOf,
  convert,
  parse,
  percent,
  roundTo,
} from '@kurs/money';
import { type Snapshot, mid } from '../../rates/index.ts';
import type { Direction, DirectionCost } from '../directions/direction.ts';
import { type RailCost, costLineOf } from '../known/rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';
import type { AskedDiscount, PriceContext } from './context.ts';
import { type Side, costInUnit } from './units.ts';

/** What the networks take of an exchange: for the payout, and for collecting the payment where that is needed. */
export interface NetworkCosts {
  /** None at a provider, whose costs are lines of their own. */
  readonly payout: NetworkCost | undefined;
  readonly sweep: NetworkCost | undefined;
}

/** What the two rails take of an exchange, besides networks. */
export interface RailCosts {
  readonly payin: RailCost | undefined;
  readonly payout: RailCost | undefined;
}

/** What the lines of a price are made from. */
export interface Deal {
  readonly direction: Direction;
  readonly give: Side;
  readonly get: Side;
  readonly snapshot: Snapshot;
  /** The market's rate that is dealt at. */
  readonly rate: Rate;
  readonly networks: NetworkCosts;
  readonly rails: RailCosts;
  /** For whom the price is made, and for what. */
  readonly context: PriceContext;
}

/** Where lines of a price come from. They stand in the order of the entries, those of what is paid out after all others. */
export type ComponentSource =
  | { readonly kind: 'discount'; readonly lines: (deal: Deal) => readonly DiscountLine[] }
  | { readonly kind: 'cost'; readonly lines: (deal: Deal) => readonly CostLine[] };

/** The components of every price. */
export const COMPONENTS: readonly ComponentSource[] = [
  { kind: 'discount', lines: (deal) => discountLines(deal) },
  { kind: 'cost', lines: ({ direction, give }) => direction.costs.map((line) => costLine(line, give.unit)) },
  { kind: 'cost', lines: (deal) => railLines(deal, deal.rails.payin) },
  { kind: 'cost', lines: (deal) => networkLines(deal, 'network', deal.networks.payout) },
  { kind: 'cost', lines: (deal) => networkLines(deal, 'sweep', deal.networks.sweep) },
  { kind: 'cost', lines: (deal) => railLines(deal, deal.rails.payout) },
];

/**
 * What is asked for, in the order in which it is trimmed. A sum of a kind that no market knows now is not asked for, nor is the
 * friend's discount where the payment can be taken back for months.
 */
function discountLines({ context: { discounts = [] }, snapshot, give }: Deal): DiscountLine[] {
  return DISCOUNT_KINDS.flatMap((kind) =>
    discounts.flatMap((one) =>
      one.kind === kind && !(kind === 'friend' && give.isReversible) ? discountLine(one, snapshot, give) : [],
    ),
  );
}

function discountLine({ kind, percent: share, worth }: AskedDiscount, snapshot: Snapshot, give: Side): DiscountLine[] {
  const sum = worth && worthInUnit(worth, snapshot, give);
  if (worth && !sum) return [];
  return [
    {
      code: kind,
      ...(kind === 'friend' && { of: 'rest' as const }),
      ...(share && { percent: share }),
      ...(sum && (share ? { cap: sum } : { fixed: sum })),
    },
  ];
}

/** A sum in the unit given, by the middle of the market, rounded down; undefined where no market is known. */
function worthInUnit(worth: Money, snapshot: Snapshot, { unit, payDigits }: Side): Money | undefined {
  const [from, to] = [assetOf(worth.unit), assetOf(unit)];
  if (!snapshot.body.assets[from]) return undefined;
  return roundTo(convert(worth, from, mid(snapshot, from, to), unit, 'down'), payDigits, 'down');
}

function railLines({ give, get, rate }: Deal, cost: RailCost | undefined): CostLine[] {
  return cost ? [costLineOf(cost, give.unit, { getUnit: get.unit, rate })] : [];
}

function networkLines({ snapshot, give }: Deal, code: string, cost: NetworkCost | undefined): CostLine[] {
  return cost ? [{ code, fixed: costInUnit(cost, snapshot, give) }] : [];
}

/** A cost that the operator has named for a direction. */
function costLine(line: DirectionCost, unit: string): CostLine {
  const sum = (text: string): Money => parse(unit, text);
  return {
    code: line.code,
    ...(line.percent !== undefined && { percent: percent(line.percent) }),
    ...(line.fixed !== undefined && { fixed: sum(line.fixed) }),
    ...(line.min !== undefined && { min: sum(line.min) }),
    ...(line.cap !== undefined && { cap: sum(line.cap) }),
  };
}
