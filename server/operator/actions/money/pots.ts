import { Problem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { alone } from '../../../collecting/index.ts';
import { setAsideForDraws } from '../../../earn/index.ts';
import { balances } from '../../../ledger/index.ts';
import type { Db, Tx } from '../../../platform/index.ts';
import { POT_KINDS, type PotKind, fundPot, leftInPots, lockPot, peopleForPot, potAccount } from '../../../pots/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

/** A sum to set aside in a pot. With `back`, the sum is taken out of the pot. */
export interface PotInput {
  readonly pot: PotKind;
  readonly amount: string;
  readonly back: boolean;
  readonly reason: string;
}

/**
 * Sets the desk's free money aside in a pot, or takes it out again. Takes one operator, or two if the sums of 24 hours exceed a
 * limit. Throws `not_enough_there` if the desk's free money or the pot has less. Money that open draws may still win can't be
 * taken out.
 */
export function setAside(db: Db, person: Person, { pot, amount, back: isBack, reason }: PotInput, key?: string): Promise<Acted> {
  const parts = partsOf(REWARD_UNIT, amount);
  return alone(db, async (unit) => {
    const people = await peopleForPot(unit.tx, { pot, parts, isBack });
    const wanted = {
      action: 'pot',
      subject: pot,
      reason,
      permission: 'money.move',
      people,
      body: { amount, back: isBack },
      key,
    } as const;
    return actAs(unit.tx, person, wanted, async (_by, id) => {
      if (isBack) await requireNotPromised(unit.tx, pot, parts);
      unit.post(await fundPot(unit.tx, { id, pot, parts, isBack }), 'not_enough_there');
    });
  });
}

/** Throws `not_enough_there` if the pot of prizes would have less left than the highest possible prizes of all open draws. */
async function requireNotPromised(tx: Tx, pot: PotKind, parts: bigint): Promise<void> {
  if (pot !== 'earn') return;
  await lockPot(tx, pot);
  const aside = await setAsideForDraws(tx);
  const [left = 0n] = await balances(tx, [potAccount(pot)]);
  if (left - aside < parts) throw new Problem('not_enough_there');
}

/** Returns the balance of each pot. */
export async function potsView(db: Db): Promise<{ pot: PotKind; left: string }[]> {
  const left = await leftInPots(db);
  return POT_KINDS.map((pot) => ({ pot, left: format(money(REWARD_UNIT, left[pot] ?? 0n), 2) }));
}
