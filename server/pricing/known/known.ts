// What is known as of one moment: all that a price is made from, so that making one asks nothing else.

import { type Fraction, type Money, parse, percent, smaller } from '@kurs/money';
import { type Level, isReversible, limitsOf, mostReversible, takesReversible } from '../../compliance/index.ts';
import { type CurrencyInfo, canSend, currencies, isChain, stoppedPurposes, takenPurposes } from '../../payments/index.ts';
import type { Snapshot } from '../../rates/index.ts';
import { settings } from '../settings.ts';
import type { View } from './view.ts';

/** Everything that decides prices, as of one moment. */
export interface Known {
  readonly view: View;
  /** The market. Undefined before there were rates. */
  readonly snapshot: Snapshot | undefined;
  readonly carried: ReadonlyMap<string, Carried>;
  /** Purposes of which the desk has stopped what is new. */
  readonly stopped: ReadonlySet<string>;
  readonly rules: PriceRules;
}

/** A currency that a rail carries, with what payments and compliance say of it. */
export interface Carried extends CurrencyInfo {
  readonly isChain: boolean;
  readonly canSend: boolean;
  /** The purposes that people let its rail take part in. */
  readonly purposes: ReadonlySet<string>;
  /** Its payments can be taken back for months. */
  readonly isReversible: boolean;
  /** Its payments can be taken back, and nobody has confirmed how much of them may be outstanding. */
  readonly isExposed: boolean;
  /** What one order may be worth that is paid in it, by the customer's level. */
  readonly mostUsd: Readonly<Record<Level, Money<'USD'>>>;
}

/** The settings that decide prices. */
export interface PriceRules {
  /** What an exchange costs at least, before discounts. */
  readonly leastFee: Money<'USD'>;
  /** What the desk keeps of its fee whatever the discounts. */
  readonly leastMargin: { readonly percent: Fraction; readonly min: Money<'USD'> };
  /** The share of a direction's minimum that its fixed costs may be. */
  readonly fixedCosts: Fraction;
  /** The smallest refund in costs of sending one, and the smallest order in smallest refunds. */
  readonly refundCosts: bigint;
  readonly smallestRefunds: bigint;
  /** Percent: of a reserve for one order of a visitor, of free money that is never promised, of a sending for a collection. */
  readonly visitorPercent: bigint;
  readonly marginPercent: number;
  readonly sweepPercent: bigint;
  /** What is said of a direction without reserve. */
  readonly refill: 'unsaid' | 'hours' | 'day';
}

/** Joins a view and the market's rates with what rails, compliance and the settings say now. */
export function knownOf(view: View, snapshot: Snapshot | undefined): Known {
  const carried = new Map(currencies().map((info) => [info.code, carriedOf(info)]));
  return { view, snapshot, carried, stopped: new Set(stoppedPurposes()), rules: rulesNow() };
}

function carriedOf(info: CurrencyInfo): Carried {
  const { code, rail } = info;
  const reversible = isReversible(code);
  const most = (level: Level): Money<'USD'> => {
    const { atOnce } = limitsOf(level);
    return reversible ? smaller(atOnce, mostReversible(level)) : atOnce;
  };
  return {
    ...info,
    isChain: isChain(code),
    canSend: canSend(code),
    purposes: new Set(takenPurposes(rail)),
    isReversible: reversible,
    isExposed: reversible && !takesReversible(),
    mostUsd: { 0: most(0), 1: most(1), 2: most(2), 3: most(3) },
  };
}

/** The settings that decide what a customer gets for an amount. */
export const PRICED_BY = [
  'pricing.least_fee_usd',
  'pricing.min_margin_percent',
  'pricing.min_margin_usd',
  'pricing.sweep_percent',
] as const;

/** Values of those settings, as they are or would be. */
export type PricedBy = Readonly<Partial<Record<(typeof PRICED_BY)[number], unknown>>>;

/** The rules with other values of the settings that decide what a customer gets. */
export const rulesWith = (given: PricedBy): PriceRules => rulesFrom((key) => (given[key] ?? settings.get(key)) as never);

const rulesNow = (): PriceRules => rulesFrom((key) => settings.get(key));

function rulesFrom(get: <K extends (typeof PRICED_BY)[number]>(key: K) => ReturnType<typeof settings.get<K>>): PriceRules {
  return {
    leastFee: parse('USD', get('pricing.least_fee_usd')),
    leastMargin: {
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
