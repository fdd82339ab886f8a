import { Problem } from '@kurs/contract';
import { type AccountRef, type Leg, accounts, balances, leg, post } from '../ledger/index.ts';
import type { Tx } from '../platform/index.ts';
import { currencies } from './registry.ts';
import { type Values, marketValues, pricesOf } from './values.ts';

/**
 * The close (D6): what was earned becomes free money, and free money, or of a chain's own coin what is set aside for gas,
 * pays what is spent, as far as it reaches. It moves no profit. Throws `nothing_to_close` where that is so, and
 * `not_enough_there` where the money moved meanwhile. Posts, so it is the last of its transaction.
 */
export async function closeBooks(tx: Tx, { id }: { readonly id: string }, values: Values = marketValues): Promise<void> {
  const carried = currencies();
  const units = new Set(carried.map(({ unit }) => unit));
  const fuels = new Set(carried.map(({ fuel }) => fuel).filter((fuel) => !units.has(fuel)));
  const legs = [
    ...(await Promise.all([...units].map((unit) => closeUnit(tx, unit, accounts.deskFree(unit))))),
    ...(await Promise.all([...fuels].map((unit) => closeUnit(tx, unit, accounts.deskFuel(unit))))),
  ].flat();
  if (legs.length === 0) throw new Problem('nothing_to_close');
  const prices = pricesOf(values, [...units, ...fuels]);
  const [answer] = await post(tx, [{ id, kind: 'close', cause: id, legs, prices }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}

async function closeUnit(tx: Tx, unit: string, own: AccountRef): Promise<Leg[]> {
  const earned = (['spread', 'fee', 'gate'] as const).map((kind) => accounts.income(kind, unit));
  const gone = (['network', 'rail', 'discount', 'loss'] as const).map((kind) => accounts.spent(kind, unit));
  const [had = 0n, ...amounts] = await balances(tx, [own, ...earned, ...gone]);
  const legs: Leg[] = [];
  let left = had;
  for (const [at, income] of earned.entries()) {
    const parts = amounts[at] ?? 0n;
    // Below zero after a reversal: what comes next makes up for it.
    if (parts <= 0n) continue;
    legs.push(leg(income, own, parts));
    left += parts;
  }
  for (const [at, spent] of gone.entries()) {
    const parts = amounts[earned.length + at] ?? 0n;
    const paid = parts < left ? parts : left;
    if (paid <= 0n) continue;
    legs.push(leg(own, spent, paid));
    left -= paid;
  }
  return legs;
}
