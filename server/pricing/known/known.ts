// Collects all data that decides prices at one moment, so that prices are pure functions of it.

import { type Fraction, type Money, parse, percent, smaller } from '@kurs/money';
import { type Level, isReversible, limitsOf, maxReversible, takesReversible } from '../../compliance/index.ts';
import { type CurrencyInfo, canSend, currencies, isChain, stoppedPurposes, takenPurposes } from '../../payments/index.ts';
import type { Snapshot } from '../../rates/index.ts';
import { settings } from '../settings.ts';
import type { View } from './view.ts';

/** All data that decides prices, as of one moment. */
export interface PriceInputs {
  readonly view: View;
  /** The market's rates; undefined before the first snapshot. */
  readonly snapshot: Snapshot | undefined;
  readonly carried: ReadonlyMap<string, Carried>;
  /** Purposes (orders, deposits) for which the desk accepts nothing new. */
  readonly stopped: ReadonlySet<string>;
  readonly rules: PriceRules;
}

/** A currency that a rail carries, with its state according to the rooms of payments and compliance. */
export interface Carried extends CurrencyInfo {
  readonly isChain: boolean;
  readonly canSend: boolean;
  /** Purposes (orders, deposits) for which people have switched the currency's rail on. */
  readonly purposes: ReadonlySet<string>;
  /** True if the rail's payments can be taken back for months. */
  readonly isReversible: boolean;
  /**
   * True if the rail's payments are reversible, and people have not approved a limit on their total yet. No such payments are
   * then accepted.
   */
  readonly isExposed: boolean;
  /** Maximum worth of one order that is paid in the currency, by the customer's level. */
  readonly maxUsd: Readonly<Record<Level, Money<'USD'>>>;
}

/** The settings that decide prices. */
export interface PriceRules {
  /** Minimum fee of an exchange, before discounts. */
  readonly minFee: Money<'USD'>;
  /** Minimum that the desk keeps of its fee after discounts: a percentage of the amount, and a sum. The larger of the two applies. */
  readonly minMargin: { readonly percent: Fraction; readonly min: Money<'USD'> };
  /** Maximum share of an amount that fixed costs may take. A direction's minimum amount depends on this share. */
  readonly fixedCosts: Fraction;
  /** Smallest refund, as a multiple of its sending cost. */
  readonly refundCosts: bigint;
  /** Smallest order, as a multiple of the smallest refund. */
  readonly smallestRefunds: bigint;
  /** Maximum percentage of a reserve that one order of a visitor may take. */
  readonly visitorPercent: bigint;
  /** Percentage of the desk's free money that is never promised. */
  readonly marginPercent: number;
  /** Cost of collecting a payment, in percent of the cost of sending one. */
  readonly sweepPercent: bigint;
  /** Answer to customers about a direction without reserve: when the desk will top the reserve up. */
  readonly refill: 'unsaid' | 'hours' | 'day';
}

/** Combines a view and the market's rates with the current state of rails, compliance and settings. */
export function knownOf(view: View, snapshot: Snapshot | undefined): PriceInputs {
  const carried = new Map(currencies().map((info) => [info.code, carriedOf(info)]));
  return { view, snapshot, carried, stopped: new Set(stoppedPurposes()), rules: rulesNow() };
}

function carriedOf(info: CurrencyInfo): Carried {
  const { code, rail } = info;
  const reversible = isReversible(code);
  const max = (level: Level): Money<'USD'> => {
    const { maxAtOnce } = limitsOf(level);
    return reversible ? smaller(maxAtOnce, maxReversible(level)) : maxAtOnce;
  };
  return {
    ...info,
    isChain: isChain(code),
    canSend: canSend(code),
    purposes: new Set(takenPurposes(rail)),
    isReversible: reversible,
    isExposed: reversible && !takesReversible(),
    maxUsd: { 0: max(0), 1: max(1), 2: max(2), 3: max(3) },
  };
}

/** Settings that decide the amount that a customer receives. */
export const PRICED_BY = [
  'pricing.least_fee_usd',
  'pricing.min_margin_percent',
  'pricing.min_margin_usd',
  'pricing.sweep_percent',
] as const;

/** Current or proposed values of the settings in `PRICED_BY`. */
export type PricedBy = Readonly<Partial<Record<(typeof PRICED_BY)[number], unknown>>>;

/** Returns the price rules with these values for settings of `PRICED_BY`; all others have their current values. */
export const rulesWith = (given: PricedBy): PriceRules => rulesFrom((key) => (given[key] ?? settings.get(key)) as never);

const rulesNow = (): PriceRules => rulesFrom((key) => settings.get(key));

function rulesFrom(get: <K extends (typeof PRICED_BY)[number]>(key: K) => ReturnType<typeof settings.get<K>>): PriceRules {
  return {
    minFee: parse('USD', get('pricing.least_fee_usd')),
    minMargin: {
      percent: percent(get('pricing.min_margin_percent')),
      min: parse('USD', get('pricing.min_margin_usd')),
    },
    fixedCosts: percent(settings.get('pricing.fixed_costs_percent')),
    refundCosts: BigInt(settings.get('pricing.refund_costs')),
    smallestRefunds: BigInt(settings.get('pricing.smallest_refunds')),
    visitorPercent: BigInt(settings.get('pricing.visitor_reserve_percent')),
    marginPercent: settings.get('pricing.reserve_margin_percent'),
    sweepPercent: BigInt(get('pricing.sweep_percent')),
    refill: settings.get('pricing.refill'),
  };
}
