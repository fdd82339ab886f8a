import { Problem } from '@kurs/contract';
import { type CurrencyInfo, currencyOf } from '../../payments/index.ts';
import type { Currency, Direction } from '../directions/direction.ts';
import type { OwnMoney } from './reserve.ts';
import type { RailCost } from './rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';

/** What this process has read of all that decides prices and promises, as of one moment. Market rates come beside it. */
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

let view: View | undefined;

/** Puts a new view in place; prices are made anew from it. */
export function useView(given: View | undefined): void {
  view = given;
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

/** Whether people let money leave on a currency's rail. */
export const isSending = ({ rail }: Pick<CurrencyInfo, 'rail'>): boolean => currentView().railsSending.has(rail);
