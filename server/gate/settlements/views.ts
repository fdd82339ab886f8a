import type { Output, Routes } from '@kurs/contract';
import { assetOf, format, money } from '@kurs/money';
import type { Db } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import { digitsOf } from '../methods/current-price.ts';
import { comingReleases } from '../settled/coming-releases.ts';
import { settledByDay } from '../settled/settled-rows.ts';
import type { Settlement } from './settlement-rows.ts';
import { standingOfStore } from './store-money.ts';

/** Days of which the balance names the settled sums. */
const DAYS = 30;

/** Returns an amount of a unit as text, with the digits of its payments at least. */
const textOf = (unit: string, parts: bigint): string => format(money(unit, parts), digitsOf(assetOf(unit)));

const usdText = (cents: bigint): string => format(money('USD', cents));

/** Returns a store's balance in the form of the API. */
export async function balanceView(db: Db, store: Store): Promise<Output<Routes['storeBalance']>> {
  const now = await db.now();
  const [standing, releases, days] = await Promise.all([
    standingOfStore(db, store, now),
    comingReleases(db, store),
    settledByDay(db, store, DAYS),
  ]);
  const { stop, frozenUntil, limitUsd, leftUsd, units, isDaily } = standing;
  return {
    balances: units.map(({ unit, balance, shallow, over, movable, reserve, debt }) => {
      const text = (parts: bigint): string => textOf(unit, parts);
      return {
        ...{ currency: unit, balance: text(balance), not_deep: text(shallow), over_limit: text(over) },
        ...{ movable: text(movable), reserve: text(reserve), debt: text(debt) },
      };
    }),
    ...(stop && { stop }),
    ...(frozenUntil && { frozen_until: frozenUntil.toISOString() }),
    ...(limitUsd !== undefined && { limit_usd: usdText(limitUsd) }),
    ...{ left_usd: usdText(leftUsd), daily: isDaily },
    releases: releases.map(({ day, unit, parts }) => ({
      ...(day !== undefined && { day }),
      sum: { amount: textOf(unit, parts), currency: unit },
    })),
    days: days.map(({ day, usd }) => ({ day, usd: usdText(usd) })),
  };
}

/** Returns a move in the form of the API. */
export const settlementView = ({ id, direction, unit, parts, usd, cause, at }: Settlement): Output<Routes['settlementMake']> => ({
  ...{ id, direction, sum: { amount: textOf(unit, parts), currency: unit }, usd: usdText(usd), cause, at: at.toISOString() },
});
