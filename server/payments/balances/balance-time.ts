// When a rail's word of its balance was right: by its own time, where it says one that can be.

import { type Statements, clockAhead, log } from '../../platform/index.ts';
import type { RailBalance } from '../../rails/rail.ts';
import { lagMs } from './standing-difference.ts';

/** The clocks of a rail and of ours may be so far apart. */
const CLOCKS_APART_MS = 60_000;
/** A rail of which no lag is known may yet round its time, or keep an answer for a while. */
const LEAST_LAG_MS = 10 * 60_000;

/** The time of a balance. */
export interface BalanceTime {
  /** What came later may be missing from it; null: it isn't compared, since nobody can say of when it is. */
  readonly ownAt: Date | null;
  /** The rail's own word, where it has one that is believed. */
  readonly saysAt: Date | null;
}

/**
 * Of when a balance is that was asked for at a moment. A time in the future, or further behind than the rail's word may be
 * (`lag`, in milliseconds), is not believed. Pure.
 */
export function timeOf({ asOf }: Pick<RailBalance, 'asOf'>, asked: Date, lag: number): BalanceTime {
  if (!asOf) return { ownAt: new Date(asked.getTime() - lag), saysAt: null };
  const behind = asked.getTime() - asOf.getTime();
  if (behind < -CLOCKS_APART_MS || behind > Math.max(lag, LEAST_LAG_MS)) return { ownAt: null, saysAt: null };
  const at = behind < 0 ? asked : asOf;
  return { ownAt: at, saysAt: at };
}

/** Currencies and places whose balance was not believed when it was read last. */
const unbelieved = new Set<string>();

/** `timeOf` for each balance of a rail. One whose time begins not to be believed is told to people. */
export async function timesOf(
  db: Statements,
  rail: string,
  balances: readonly RailBalance[],
  asked: Date,
): Promise<BalanceTime[]> {
  const ahead = balances.some(({ asOf }) => asOf) ? await clockAhead(db) : 0;
  return balances.map((balance) => {
    const asOf = balance.asOf && new Date(balance.asOf.getTime() + ahead);
    const time = timeOf(asOf ? { asOf } : {}, asked, lagMs(rail));
    const key = `${rail} ${balance.currency} ${balance.place}`;
    if (time.ownAt) unbelieved.delete(key);
    else if (!unbelieved.has(key)) {
      unbelieved.add(key);
      const { currency, place } = balance;
      log.alarm('a rail says a time of its balance that can’t be: it is not compared with the books', {
        ...{ rail, currency, place, says: asOf, asked },
      });
    }
    return time;
  });
}
