import { Problem } from '@kurs/contract';
import { type CurrencyInfo, currencyOf } from '../../payments/index.ts';
import type { Currency, Direction } from '../directions/direction.ts';
import type { OwnMoney } from './reserve.ts';
import type { RailCost } from './rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';

/** This process's copy of the database rows that decide prices and reserves, as of one moment. Market rates are stored separately. */
export interface View {
  readonly currencies: ReadonlyMap<string, Currency>;
  readonly directions: readonly Direction[];
  readonly ownMoney: ReadonlyMap<string, OwnMoney>;
  /** Amount that a currency's rail confirmed as payable, less queued payouts, in parts, by currency. */
  readonly payable: ReadonlyMap<string, bigint>;
  /** Money at deposit addresses or on its way from there, by currency. Until it is collected, this money isn't part of the reserve. */
  readonly arriving: ReadonlyMap<string, bigint>;
  readonly networkCosts: ReadonlyMap<string, NetworkCost>;
  readonly railCosts: readonly RailCost[];
  readonly railsUp: ReadonlySet<string>;
  readonly railsSending: ReadonlySet<string>;
  /** Currencies whose rail has, for too long, held less money than the books say. */
  readonly off: ReadonlySet<string>;
  /** Median minutes from the final payment to the payout, by slug of the direction. Directions with too few samples are left out. */
  readonly usualMinutes: ReadonlyMap<string, number>;
}

let view: View | undefined;

/** Replaces this process's view. The next price is made from the new view. */
export function useView(given: View | undefined): void {
  view = given;
}

/** Returns this process's view. Throws `unavailable` if it was not read yet. */
export function currentView(): View {
  if (!view) throw new Problem('unavailable', { cause: new Error('watchPricing has not read anything yet') });
  return view;
}

/** Returns the direction of a pair. Throws `direction_unknown`. */
export function directionOf(from: string, to: string): Direction {
  const found = currentView().directions.find((one) => one.from === from && one.to === to);
  if (!found) throw new Problem('direction_unknown');
  return found;
}

/** Returns a currency's data for customers together with its rail's data; undefined if it isn't listed or no rail carries it. */
export function listedCurrency(code: string): (Currency & CurrencyInfo) | undefined {
  const [shown, carried] = [currentView().currencies.get(code), currencyOf(code)];
  return shown && carried && { ...shown, ...carried };
}

/** Returns true if people have switched sends on for a currency's rail. */
export const isSending = ({ rail }: Pick<CurrencyInfo, 'rail'>): boolean => currentView().railsSending.has(rail);
