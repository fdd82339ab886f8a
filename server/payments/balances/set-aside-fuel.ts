import { Problem, fieldProblem } from '@kurs/contract';
import { accounts, balances, leg } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import { moveBetween } from './balance-macs.ts';
import { bookForDesk } from './book-for-desk.ts';
import { type CurrencyInfo, currencies, currencyOf } from '../rails/registry.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

export interface SetAsideFuel {
  /** Id of the operator's action and of the journal. */
  readonly id: string;
  /** Code of a coin that is exchanged and also pays its chain's fees (ETH, BNB, TRX). */
  readonly currency: string;
  readonly parts: bigint;
  /** True to return gas to the hot wallet; false to set coin aside. */
  readonly isBack: boolean;
}

/**
 * Sets coin of the hot wallet aside for gas; with `isBack`, returns gas to the hot wallet. Nothing moves on the chain: both lie
 * at one address, and only the books separate them. Sets aside at most the desk's own coin that no queued payout needs. Returns
 * at most the gas that no attempt under way may still use. Throws `not_enough_there` for a larger amount, and `validation` on
 * `currency` for a currency without separate gas. Posts, so it comes last in its transaction.
 */
export async function setAsideFuel(tx: Tx, action: SetAsideFuel, values: Values = marketValues): Promise<void> {
  const { id, parts, isBack } = action;
  const { code, unit, rail } = gasApart(action.currency);
  const [hot, fuel] = [accounts.custody(code, 'hot', unit), accounts.custody(code, 'fuel', unit)];
  const [free, setAside] = [accounts.deskFree(unit), accounts.deskFuel(unit)];
  if (isBack) {
    const [held = 0n] = await balances(tx, [fuel]);
    if (held - (await burning(tx, rail, code)) < parts) throw new Problem('not_enough_there');
  } else if (!(await takeFromFloat(tx, code, parts))) throw new Problem('not_enough_there');
  const legs = isBack ? [leg(hot, fuel, parts), leg(setAside, free, parts)] : [leg(fuel, hot, parts), leg(free, setAside, parts)];
  const [answer] = await bookForDesk(tx, [{ id, kind: 'fuel', legs, prices: pricesOf(values, [unit]) }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}

function gasApart(currency: string): CurrencyInfo {
  const found = currencyOf(currency);
  if (found?.feesFrom === 'fuel') return found;
  const values = currencies().flatMap(({ code, feesFrom }) => (feesFrom === 'fuel' ? code : []));
  throw fieldProblem('currency', 'no_gas_apart', { values: values.join(', ') || '–' });
}

/**
 * Moves an amount from `hot` to `fuel` in the stored balances at once, without waiting for the rail's next poll. Returns false if
 * the free part is smaller.
 */
async function takeFromFloat(tx: Tx, currency: string, parts: bigint): Promise<boolean> {
  const there = await tx.row(`select from rail_balance where currency = $1 and place = 'hot' and free >= $2 for update`, [
    currency,
    parts,
  ]);
  if (!there) return false;
  await moveBetween(tx, currency, { hot: -parts, fuel: parts });
  return true;
}

/**
 * Returns the gas that attempts under way may still use, in parts: their unbooked fees, and gas on its way to deposit addresses.
 */
async function burning(tx: Tx, rail: string, currency: string): Promise<bigint> {
  const row = await tx.row<{ parts: string }>(
    `select coalesce(sum(case when fee_currency = $2 and purpose <> 'collect' and not is_fee_posted then fee else 0 end
                       + case when currency = $2 and purpose = 'fuel' then parts else 0 end), 0) as parts
     from payment_attempt where rail = $1 and status in ('stored', 'doubtful', 'sent', 'replaced')`,
    [rail, currency],
  );
  return BigInt(row?.parts ?? '0');
}
