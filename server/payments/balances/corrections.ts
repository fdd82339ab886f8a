import { Problem } from '@kurs/contract';
import { type Journal, accounts, balances, leg } from '../../ledger/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { bookForDesk } from './book-for-desk.ts';
import { currencyOf } from '../rails/registry.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/** Returns the unit of a currency, or the currency itself if it is only a chain's fuel. */
const unitOf = (currency: string): string => currencyOf(currency)?.unit ?? currency;

export interface ClearDifference {
  /** Id of the operators' action and of the journal. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
  /**
   * Account that gets the difference. `free`: the desk's free money · `loss`: a loss · `network`: an unbooked network fee ·
   * `rail`: an unbooked fee of a provider, as for a dispute.
   */
  readonly to: 'free' | 'loss' | 'network' | 'rail';
}

/**
 * Clears an unexplained difference from `suspense`: an excess becomes the desk's money, a shortfall becomes an expense. Throws
 * `not_enough_there` if `suspense` has less than the amount. The caller ensures that two operators agreed. Posts, so it comes
 * last in its transaction.
 */
export async function clearDifference(tx: Tx, action: ClearDifference, values: Values = marketValues): Promise<void> {
  const unit = unitOf(action.currency);
  const suspense = accounts.suspense(unit);
  const [unexplained = 0n] = await balances(tx, [suspense]);
  if ((action.to === 'free' ? unexplained : -unexplained) < action.parts) throw new Problem('not_enough_there');
  const line =
    action.to === 'free'
      ? leg(suspense, accounts.deskFree(unit), action.parts)
      : leg(accounts.spent(action.to, unit), suspense, action.parts);
  await book(tx, { id: action.id, kind: 'difference_cleared', legs: [line], prices: pricesOf(values, [unit]) });
}

export interface MarkStuck {
  /** Id of the operator's action and of the journal. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
  /** True if the rail released the money, so it can be paid out again. */
  readonly isBack: boolean;
}

/**
 * Marks money at a rail as stuck: the rail holds the money and doesn't release it. From then on the currency promises nothing,
 * and customers who wait for a payout in it may get their own money back. With `isBack`, marks money as released. Throws
 * `not_enough_there` if the place has less. Posts, so it comes last in its transaction.
 */
export async function markStuck(tx: Tx, action: MarkStuck, values: Values = marketValues): Promise<void> {
  const unit = unitOf(action.currency);
  const hot = accounts.custody(action.currency, 'hot', unit);
  const stuck = accounts.custody(action.currency, 'stuck', unit);
  const line = action.isBack ? leg(hot, stuck, action.parts) : leg(stuck, hot, action.parts);
  // The currency promises nothing from now on, without waiting for the rail's next poll.
  if (!action.isBack) await tx.run(`update rail_balance set free = 0 where currency = $1 and place = 'hot'`, [action.currency]);
  const kind = action.isBack ? 'unstuck' : 'stuck';
  await book(tx, { id: action.id, kind, legs: [line], prices: pricesOf(values, [unit]) });
}

/** Returns the stuck amount of each currency, in parts of its unit. */
export async function stuckOf(db: Statements, currencies: readonly string[]): Promise<Map<string, bigint>> {
  const found = await balances(
    db,
    currencies.map((code) => accounts.custody(code, 'stuck', unitOf(code))),
  );
  return new Map(currencies.map((code, at) => [code, found[at] ?? 0n]));
}

/** True if any money of a currency is stuck. Orders that were promised this currency may then be called off. */
export async function isStuck(db: Statements, currency: string): Promise<boolean> {
  return ((await stuckOf(db, [currency])).get(currency) ?? 0n) > 0n;
}

async function book(tx: Tx, journal: Omit<Journal, 'cause'>): Promise<void> {
  const [answer] = await bookForDesk(tx, [journal]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}
