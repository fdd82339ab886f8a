// Time of a rail's balance: by the rail's own clock, if it reports a plausible time.

import { type Statements, clockAhead, log } from '../../platform/index.ts';
import type { RailBalance } from '../../rails/rail.ts';
import { lagMs } from './lasting-difference.ts';

/** Largest accepted difference between a rail's clock and ours, in ms. */
const CLOCKS_APART_MS = 60_000;
/**
 * Smallest lag that is accepted from every rail, in ms. A rail without a configured lag may still round its time, or cache its
 * answer.
 */
const MIN_LAG_MS = 10 * 60_000;

/** Times of a rail's balance. */
export interface BalanceTime {
  /**
   * Moment that the balance describes: changes after this moment may be missing from the balance. Null if unknown. Then the
   * balance isn't compared with the books.
   */
  readonly ownAt: Date | null;
  /** Time that the rail itself reported with the balance. Null if it reported no time, or an implausible one. */
  readonly saysAt: Date | null;
}

/**
 * Returns the times of a balance that was requested at a moment. A reported time is not accepted if it is in the future, or more
 * than `lag` ms old. Pure.
 */
export function timeOf({ asOf }: Pick<RailBalance, 'asOf'>, requestedAt: Date, lag: number): BalanceTime {
  if (!asOf) return { ownAt: new Date(requestedAt.getTime() - lag), saysAt: null };
  const behind = requestedAt.getTime() - asOf.getTime();
  if (behind < -CLOCKS_APART_MS || behind > Math.max(lag, MIN_LAG_MS)) return { ownAt: null, saysAt: null };
  const at = behind < 0 ? requestedAt : asOf;
  return { ownAt: at, saysAt: at };
}

/** Rail, currency and place of each balance whose reported time was implausible at the last poll. */
const unbelieved = new Set<string>();

/** Returns `timeOf` for each balance of a rail. Raises an alarm when a balance's reported time becomes implausible. */
export async function timesOf(
  db: Statements,
  rail: string,
  balances: readonly RailBalance[],
  requestedAt: Date,
): Promise<BalanceTime[]> {
  const ahead = balances.some(({ asOf }) => asOf) ? await clockAhead(db) : 0;
  return balances.map((balance) => {
    const asOf = balance.asOf && new Date(balance.asOf.getTime() + ahead);
    const time = timeOf(asOf ? { asOf } : {}, requestedAt, lagMs(rail));
    const key = `${rail} ${balance.currency} ${balance.place}`;
    if (time.ownAt) unbelieved.delete(key);
    else if (!unbelieved.has(key)) {
      unbelieved.add(key);
      const { currency, place } = balance;
      log.alarm('a rail reports an implausible time of its balance: it is not compared with the books', {
        ...{ rail, currency, place, says: asOf, requested: requestedAt },
      });
    }
    return time;
  });
}
