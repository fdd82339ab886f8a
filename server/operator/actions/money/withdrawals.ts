// Withdrawals that wait for the desk: the list, and decisions about them.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { holderById } from '../../../auth/index.ts';
import { statusOf } from '../../../moneyout/index.ts';
import type { Db, Statements } from '../../../platform/index.ts';
import { findAffiliate } from '../../../referrals/index.ts';
import {
  type Withdrawal,
  clearToLeave,
  decideWithdrawal,
  peopleToApprove,
  shownStatus,
  waitingWithdrawals,
  withdrawalById,
  worthNow,
} from '../../../wallets/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

const MAX = 200;

/** Returns the withdrawals that wait for a person, the oldest first. Each has its current worth in USD and its holder's status. */
export async function withdrawalsView(db: Db): Promise<Output<Routes['operatorWithdrawals']>> {
  const [waiting, now] = [await waitingWithdrawals(db, MAX), await db.now()];
  return Promise.all(
    waiting.map(async (one) => {
      const { id, holderId, source, unit, parts, fee, currency, to, key, reason, requestedAt } = one;
      const rewards = await rewardsStatus(db, one);
      const { frozen, debts, isBlocked, allowList } = await statusOf(db, { holderId, unit, to: { currency, key } }, now);
      const text = (sum: { unit: string; parts: bigint }) => ({ amount: format(money(sum.unit, sum.parts)), currency: sum.unit });
      return {
        ...{
          id,
          status: shownStatus(one),
          source,
          by: currency,
          to,
          people: peopleToApprove(one),
          asked_at: requestedAt.toISOString(),
        },
        email: (await holderById(db, holderId))?.email ?? '',
        amount: text({ unit, parts: parts + fee }),
        fee: text({ unit, parts: fee }),
        usd: format(money('USD', worthNow(one))),
        ...(reason !== undefined && { reason }),
        ...(frozen && { frozen_until: frozen.until.toISOString() }),
        debts: [...debts, ...rewards.owed].map(text),
        blocked: isBlocked,
        suspended: rewards.isSuspended,
        allow_list: allowList,
      };
    }),
  );
}

/** For a withdrawal of rewards: returns the rewards that its holder owes, and if the desk has suspended the affiliate. */
async function rewardsStatus(db: Statements, { source, holderId }: Pick<Withdrawal, 'source' | 'holderId'>) {
  if (source !== 'affiliate') return { owed: [], isSuspended: false };
  const { owed, suspendedAt } = await findAffiliate(db, holderId);
  return { owed: owed > 0n ? [{ unit: REWARD_UNIT, parts: owed }] : [], isSuspended: suspendedAt !== undefined };
}

/**
 * Approves or rejects a withdrawal. Throws `not_found`, and `order_changed` if the withdrawal no longer waits. Throws the problem
 * that currently stops the holder's money; the withdrawal then goes on waiting. Throws the errors of `clearToLeave` and `actAs`.
 */
export async function actOnWithdrawal(
  db: Db,
  person: Person,
  { id, action, reason }: Input<Routes['operatorWithdrawal']>,
  { name, key }: { readonly name: string; readonly key: string | undefined },
): Promise<Acted & { readonly state: string }> {
  // Calls the network, so no transaction may be open.
  if (action === 'approve') await clearToLeave(db, id);
  return db.tx(async (tx) => {
    const one = await withdrawalById(tx, id);
    if (!one) throw new Problem('not_found');
    let state: string = shownStatus(one);
    const people = action === 'approve' ? peopleToApprove(one) : 1;
    const check = (): void => {
      if (one.status !== 'approving') throw new Problem('order_changed');
    };
    const wanted = {
      action: `withdrawal_${action}`,
      subject: id,
      reason,
      permission: 'withdrawals.decide',
      people,
      body: {},
      // A request is bound to the withdrawal's current status: if the payout was held again, an earlier approval is void.
      about: `${state} ${one.statusAt.toISOString()}`,
      key,
      check,
    } as const;
    const acted = await actAs(tx, person, wanted, async (by) => {
      state = shownStatus(await decideWithdrawal(tx, name, { id, action, reason, by }));
    });
    return { ...acted, state };
  });
}
