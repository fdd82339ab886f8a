import { Problem, fieldProblem } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { freezeOf } from '../auth/index.ts';
import { alone, type UnitOfWork } from '../collecting/index.ts';
import { accounts, balance, leg } from '../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet } from '../moneyout/index.ts';
import { type Db, type Statements, type Tx, isMac, macOf, newId, steady } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { findAffiliate, forgetBinding, isTakeBackPending, minToWallet } from '../referrals/index.ts';
import { rewardsOwed } from '../wallets/index.ts';
import { availableOf } from './reward.ts';
import { lockLiveRewards } from './reward-store.ts';
import { Rewarding } from './rewarding.ts';

/** Amount that went into a wallet, and the remaining rewards. */
export interface ToWallet {
  readonly parts: bigint;
  readonly left: bigint;
}

/**
 * Moves matured rewards into their holder's own wallet, at once; all of them if no amount is given. A debt is repaid from them
 * first. Throws `withdrawals_frozen`, `affiliate_suspended`, `reversal_pending` while an order of theirs is about to be taken
 * back, `rewards_owed` if the debt leaves too little, `not_enough_money`, and `validation` for an amount below the minimum.
 */
export const toWallet = (db: Db, holderId: string, request: bigint | undefined): Promise<ToWallet> =>
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
    const parts = request ?? there;
    if (owed > 0n && (parts > there || there < minToWallet())) throw rewardsOwed(owed);
    if (parts < minToWallet())
      throw fieldProblem('amount', 'reward_below_min', {
        min: format(money(REWARD_UNIT, minToWallet()), 2),
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

/** Returns true if a holder has rewards that they can still take out. */
export async function canTakeOut(db: Statements, holderId: string): Promise<boolean> {
  const { owed } = await findAffiliate(db, holderId);
  return (await balance(db, availableOf(holderId))) - owed >= minToWallet();
}

/**
 * Returns the rest of a closed account's rewards to the pot, and deletes the holder's referrer. The rewards are marked as given
 * up as far as their money is still there, so it is not taken back again. Rewards that had left before are still owed if their
 * order is taken back.
 */
export async function giveUpRewards(
  unit: UnitOfWork,
  { id: holderId, email }: { readonly id: string; readonly email: string | undefined },
): Promise<void> {
  const { tx } = unit;
  const rewarding = await Rewarding.open(unit, [holderId]);
  const parts = await rewarding.giveUp(holderId, await lockLiveRewards(tx, holderId));
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

/** Returns ids of paid-out rewards whose rows SQL changed. With `among`: of these alone. */
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
