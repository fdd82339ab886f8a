// The components of a price besides the desk's fee: one entry of `COMPONENTS` for each. Pure.
//
// To add a component, add an entry. Its lines become part of the terms, and so of every quote, receipt, page, letter and file,
// and of the exchange's journal and reversal. A line sets only the fields that differ from the defaults of its kind: name,
// account or payer. Its words are found by its code: under `fees` in the contract's words, and as `fee_…` in the site's.

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
import type { RequestedDiscount, PriceContext } from './context.ts';
import { type Side, costInUnit } from './units.ts';

/** Network fees of an exchange: for sending the payout, and for collecting the payment. */
export interface NetworkCosts {
  /** Network fee of the payout. Undefined for a payout by a provider, whose charges are separate lines. */
  readonly payout: NetworkCost | undefined;
  /** Network fee of collecting the payment; undefined if it arrives in the hot wallet. */
  readonly sweep: NetworkCost | undefined;
}

/** Charges of the two rails of an exchange, besides network fees. */
export interface RailCosts {
  readonly payin: RailCost | undefined;
  readonly payout: RailCost | undefined;
}

/** Input for the lines of a price. */
export interface Deal {
  readonly direction: Direction;
  readonly give: Side;
  readonly get: Side;
  readonly snapshot: Snapshot;
  /** Market rate between the two currencies' assets. */
  readonly rate: Rate;
  readonly networks: NetworkCosts;
  readonly rails: RailCosts;
  /** The customer and the purpose of the price. */
  readonly context: PriceContext;
}

/** A source of price lines. Lines appear in the sequence of their sources, but lines that depend on the amount paid out come last. */
export type ComponentSource =
  | { readonly kind: 'discount'; readonly lines: (deal: Deal) => readonly DiscountLine[] }
  | { readonly kind: 'cost'; readonly lines: (deal: Deal) => readonly CostLine[] };

/** The sources of the components of every price. */
export const COMPONENTS: readonly ComponentSource[] = [
  { kind: 'discount', lines: (deal) => discountLines(deal) },
  { kind: 'cost', lines: ({ direction, give }) => direction.costs.map((line) => costLine(line, give.unit)) },
  { kind: 'cost', lines: (deal) => railLines(deal, deal.rails.payin) },
  { kind: 'cost', lines: (deal) => networkLines(deal, 'network', deal.networks.payout) },
  { kind: 'cost', lines: (deal) => networkLines(deal, 'sweep', deal.networks.sweep) },
  { kind: 'cost', lines: (deal) => railLines(deal, deal.rails.payout) },
];

/**
 * Returns the discount lines, in the sequence in which they are applied. A discount with a sum is left out if the market has no
 * rate for its unit. The friend's discount is left out for reversible payments.
 */
function discountLines({ context: { discounts = [] }, snapshot, give }: Deal): DiscountLine[] {
  return DISCOUNT_KINDS.flatMap((kind) =>
    discounts.flatMap((one) =>
      one.kind === kind && !(kind === 'friend' && give.isReversible) ? discountLine(one, snapshot, give) : [],
    ),
  );
}

function discountLine({ kind, percent: share, worth }: RequestedDiscount, snapshot: Snapshot, give: Side): DiscountLine[] {
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

/** Converts a sum to the unit given at the mid-market rate, rounded down; undefined if the market has no rate. */
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

/** Returns the price line of a cost that the operator has defined for a direction. */
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
