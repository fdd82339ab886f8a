import { Problem } from '@kurs/contract';
import { type Journal, accounts, balances, leg } from '../../ledger/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { bookForDesk } from './book-for-desk.ts';
import { currencyOf } from '../rails/registry.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/** What a currency is counted in: its unit, or itself where it is only a chain's fuel. */
const unitOf = (currency: string): string => currencyOf(currency)?.unit ?? currency;

export interface ClearDifference {
  /** The id of the operators' action: the journal's. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
  /**
   * Whose it is: the desk's own after all, or lost, or a fee that nobody had booked: a network's, or a provider's (a
   * dispute's).
   */
  readonly to: 'free' | 'loss' | 'network' | 'rail';
}

/**
 * Clears a difference that was booked as unexplained to where it belongs: what had been more becomes the desk's, what
 * had been less is spent. At most what is unexplained; else `not_enough_there`. That two operators agreed is the caller's to
 * ensure. Posts, so it is the last of its transaction.
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
  /** The id of the operator's action: the journal's. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
  /** It can be paid out again. */
  readonly back: boolean;
}

/**
 * Marks money at a rail as stuck: the rail has it and won't let it go. From then on the currency promises nothing,
 * and the reader for it may have their own money back. `back`: it came free. Throws `not_enough_there` for more than
 * is there. Posts, so it is the last of its transaction.
 */
export async function markStuck(tx: Tx, action: MarkStuck, values: Values = marketValues): Promise<void> {
  const unit = unitOf(action.currency);
  const hot = accounts.custody(action.currency, 'hot', unit);
  const stuck = accounts.custody(action.currency, 'stuck', unit);
  const line = action.back ? leg(hot, stuck, action.parts) : leg(stuck, hot, action.parts);
  // What is promised from now on sees it; the loop that asks the rail keeps it so.
  if (!action.back) await tx.run(`update rail_balance set free = 0 where currency = $1 and place = 'hot'`, [action.currency]);
  const kind = action.back ? 'unstuck' : 'stuck';
  await book(tx, { id: action.id, kind, legs: [line], prices: pricesOf(values, [unit]) });
}

/** How much of each currency is stuck, in parts of its unit. */
export async function stuckOf(db: Statements, currencies: readonly string[]): Promise<Map<string, bigint>> {
  const found = await balances(
    db,
    currencies.map((code) => accounts.custody(code, 'stuck', unitOf(code))),
  );
  return new Map(currencies.map((code, at) => [code, found[at] ?? 0n]));
}

/** Is any of a currency stuck? Then what was promised in it may be called off. */
export async function isStuck(db: Statements, currency: string): Promise<boolean> {
  return ((await stuckOf(db, [currency])).get(currency) ?? 0n) > 0n;
}

async function book(tx: Tx, journal: Omit<Journal, 'cause'>): Promise<void> {
  const [answer] = await bookForDesk(tx, [journal]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}
