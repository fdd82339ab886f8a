import { Problem, fieldProblem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { freezeOf } from '../auth/index.ts';
import { alone, type UnitOfWork } from '../collecting/index.ts';
import { accounts, balance, leg } from '../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet } from '../moneyout/index.ts';
import { type Db, type Statements, type Tx, isMac, macOf, newId, steady } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { findAffiliate, forgetBinding, isTakeBackPending, leastToWallet } from '../referrals/index.ts';
import { rewardsOwed } from '../wallets/index.ts';
import { availableOf } from './reward.ts';
import { lockStandingOf } from './reward-store.ts';
import { Rewarding } from './rewarding.ts';

/** What went into a wallet, and what is left. */
export interface ToWallet {
  readonly parts: bigint;
  readonly left: bigint;
}

/**
 * Moves matured rewards into their holder's own wallet, at once; all of them where no sum is said. What is owed is repaid from them
 * first. Throws `withdrawals_frozen`, `affiliate_suspended`, `reversal_pending` while an order of theirs is about to be taken back, `rewards_owed` where what is owed leaves too little, `not_enough_money`,
 * and `validation` for less than goes.
 */
export const toWallet = (db: Db, holderId: string, asked: bigint | undefined): Promise<ToWallet> =>
  alone(db, async (unit) => {
    const { tx } = unit;
    const rewarding = await Rewarding.open(unit, [holderId], { pot: false });
    const { suspendedAt, owed } = rewarding.affiliate(holderId);
    if (suspendedAt) throw new Problem('affiliate_suspended');
    const frozen = await freezeOf(tx, holderId, tx.now);
    if (frozen) throw new Problem('withdrawals_frozen', { params: { until: frozen.until.toISOString() } });
    if (await isTakeBackPending(tx, holderId)) throw new Problem('reversal_pending');
    await rewarding.repay(holderId);
    await rewarding.save();
    const there = await unit.shown(availableOf(holderId));
    const parts = asked ?? there;
    if (owed > 0n && (parts > there || there < leastToWallet())) throw rewardsOwed(owed);
    if (parts < leastToWallet())
      throw fieldProblem('amount', 'reward_below_min', {
        min: format(money(REWARD_UNIT, leastToWallet()), 2),
        unit: REWARD_UNIT,
      });
    if (parts > there) throw new Problem('not_enough_money');
    const id = await noteOut(tx, { holderId, how: 'wallet', parts });
    const legs = [leg(availableOf(holderId), accounts.wallet(holderId, REWARD_UNIT), parts)];
    unit.post({ id, kind: 'reward_paid', cause: id, legs }, 'not_enough_money');
    const body = { holderId, unit: REWARD_UNIT } satisfies IntoWallet;
    unit.publish({ id: newId(), kind: INTO_WALLET_EVENT, subject: `wallet:${holderId}`, body });
    return { parts, left: there - parts };
  });

/** Whether a holder has rewards that they can still take out. */
export async function canTakeOut(db: Statements, holderId: string): Promise<boolean> {
  const { owed } = await findAffiliate(db, holderId);
  return (await balance(db, availableOf(holderId))) - owed >= leastToWallet();
}

/**
 * Gives up to the pot what an account can't take out as it is closed, and forgets who sent its holder. Its rewards are noted as given
 * up as far as their money still stands there, so that nothing of that is taken back once more; what had left before stays owed
 * where its order is taken back.
 */
export async function giveUpRewards(
  unit: UnitOfWork,
  { id: holderId, email }: { readonly id: string; readonly email: string | undefined },
): Promise<void> {
  const { tx } = unit;
  const rewarding = await Rewarding.open(unit, [holderId]);
  const parts = await rewarding.giveUp(holderId, await lockStandingOf(tx, holderId));
  await rewarding.save();
  if (parts > 0n) {
    const id = await noteOut(tx, { holderId, how: 'given_up', parts });
    unit.post({ id, kind: 'reward_taken_back', cause: id, legs: [leg(availableOf(holderId), potAccount('affiliate'), parts)] });
  }
  await forgetBinding(tx, { id: holderId, email });
}

interface Out {
  readonly id: string;
  readonly holderId: string;
  readonly how: string;
  readonly parts: bigint;
  readonly at: Date;
}
const contentOfOut = ({ id, holderId, how, parts, at }: Out): string => steady([id, holderId, how, parts, at]);

/** Ids of rewards that went out whose rows were changed by SQL. With `among`: of these alone. */
export async function alteredOuts(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const rows = await db.rows<Omit<Out, 'parts'> & { parts: string; mac: string | null }>(
    `select id, holder_id as "holderId", how, parts, at, mac from affiliate_out ${among ? 'where id = any ($1::uuid[])' : ''}`,
    among && [among],
  );
  return rows
    .filter((row) => !isMac('affiliate out', contentOfOut({ ...row, parts: BigInt(row.parts) }), row.mac))
    .map(({ id }) => id);
}

async function noteOut(
  tx: Tx,
  { holderId, how, parts }: { readonly holderId: string; readonly how: 'wallet' | 'given_up'; readonly parts: bigint },
): Promise<string> {
  const id = newId();
  await tx.run('insert into affiliate_out (id, holder_id, how, parts, at, mac) values ($1, $2, $3, $4, $5, $6)', [
    ...[id, holderId, how, parts, tx.now],
    macOf('affiliate out', contentOfOut({ id, holderId, how, parts, at: tx.now })),
  ]);
  return id;
}
