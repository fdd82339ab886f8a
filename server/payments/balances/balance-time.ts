// Time of a rail's balance: by the rail's own clock, if it reports a plausible time.

import { type Statements, clockAhead, log } from '../../platform/index.ts';
import type { RailBalance } from '../../rails/rail.ts';
import { lagMs } from './lasting-difference.ts';

/** Largest accepted difference between a rail's clock and ours, in ms. */
const CLOCKS_APART_MS = 60_000;
/** Smallest accepted lag, in ms: a rail without a known lag may still round its time, or cache an answer. */
const MIN_LAG_MS = 10 * 60_000;

/** Time of a balance. */
export interface BalanceTime {
  /** Later changes may be missing from the balance. Null: its time is unknown, so it isn't compared. */
  readonly ownAt: Date | null;
  /** The rail's own time, if it reports a plausible one. */
  readonly saysAt: Date | null;
}

/**
 * Returns the time of a balance read at a moment. A time in the future, or further behind than the rail's balance may be (`lag`,
 * in ms), is not accepted. Pure.
 */
export function timeOf({ asOf }: Pick<RailBalance, 'asOf'>, requestedAt: Date, lag: number): BalanceTime {
  if (!asOf) return { ownAt: new Date(requestedAt.getTime() - lag), saysAt: null };
  const behind = requestedAt.getTime() - asOf.getTime();
  if (behind < -CLOCKS_APART_MS || behind > Math.max(lag, MIN_LAG_MS)) return { ownAt: null, saysAt: null };
  const at = behind < 0 ? requestedAt : asOf;
  return { ownAt: at, saysAt: at };
}

/** Currencies and places whose balance time was not accepted at the last reading. */
const unbelieved = new Set<string>();

/** Returns `timeOf` for each balance of a rail. Raises an alarm when a time begins to be implausible. */
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
