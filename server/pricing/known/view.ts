import { Problem } from '@kurs/contract';
import { type CurrencyInfo, currencyOf } from '../../payments/index.ts';
import type { Currency, Direction } from '../directions/direction.ts';
import type { OwnMoney } from './reserve.ts';
import type { RailCost } from './rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';

/** This process's copy of the rows that decide prices and promises, as of one moment. Market rates are separate. */
export interface View {
  readonly currencies: ReadonlyMap<string, Currency>;
  readonly directions: readonly Direction[];
  readonly ownMoney: ReadonlyMap<string, OwnMoney>;
  /** Amount that each currency's rail confirmed as payable. */
  readonly payable: ReadonlyMap<string, bigint>;
  /** Money at deposit addresses or between places: not part of the reserve until it is collected. */
  readonly arriving: ReadonlyMap<string, bigint>;
  readonly networkCosts: ReadonlyMap<string, NetworkCost>;
  readonly railCosts: readonly RailCost[];
  readonly railsUp: ReadonlySet<string>;
  readonly railsSending: ReadonlySet<string>;
  /** Currencies whose rail has held less than the books for too long. */
  readonly off: ReadonlySet<string>;
  /** Median minutes from final payment to payout, by slug, if there are enough samples. */
  readonly usualMinutes: ReadonlyMap<string, number>;
}

let view: View | undefined;

/** Sets the view. Prices are then made again from it. */
export function useView(given: View | undefined): void {
  view = given;
}

/** Returns this process's view. Throws `unavailable` if there is none yet. */
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

/** Returns a currency as customers see it, together with its rail's data; undefined if no rail carries it. */
export function listedCurrency(code: string): (Currency & CurrencyInfo) | undefined {
  const [shown, carried] = [currentView().currencies.get(code), currencyOf(code)];
  return shown && carried && { ...shown, ...carried };
}

/** Returns true if people let money leave on a currency's rail. */
export const isSending = ({ rail }: Pick<CurrencyInfo, 'rail'>): boolean => currentView().railsSending.has(rail);
