// Cases: rewards that people decide, since the customer and the affiliate share an identity.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { holdersById } from '../auth/index.ts';
import type { UnitOfWork } from '../collecting/index.ts';
import { readOrders } from '../exchange/index.ts';
import type { Statements } from '../platform/index.ts';
import { sendPostbacks } from './postbacks.ts';
import { findOrder, isCase } from './referred-order.ts';
import { findReward, lockRewards } from './reward-store.ts';
import { Rewarding } from './rewarding.ts';

/**
 * Pays or refuses the reward of a case, and notifies the affiliate. Throws `not_found` if there is no such case, `record_altered`
 * if its row was changed, and `action_not_open` if it was decided, or taken back, meanwhile.
 */
export async function decideCase(unit: UnitOfWork, id: string, event: 'pay' | 'refuse'): Promise<void> {
  const found = await findReward(unit.tx, id);
  if (!found) throw new Problem('not_found');
  const rewarding = await Rewarding.open(unit, [found.holderId]);
  const [reward] = await lockRewards(unit.tx, [id]);
  if (!reward) throw new Problem('record_altered');
  const order = await findOrder(unit.tx, found.orderId);
  const decided = await rewarding.decide(reward, event, { campaign: order?.campaign ?? '' });
  if (!decided) throw new Problem('action_not_open');
  if (order && !order.isAltered && reward.tier === 1)
    await sendPostbacks(unit.tx, [{ order, state: 'completed', parts: event === 'pay' ? reward.parts : 0n }]);
  // A case was not counted in its day's results; once paid, it is.
  if (event === 'pay' && order && isCase(order) && reward.tier === 1) rewarding.countOrder(order, 1n);
  await rewarding.save();
}

interface CaseRow {
  readonly id: string;
  readonly order_id: string;
  readonly holder_id: string;
  readonly tier: 1 | 2;
  readonly parts: string;
  readonly reason: string;
  readonly at: Date;
}

/** Returns the cases that wait for people, the oldest first. */
export async function casesView(db: Statements): Promise<Output<Routes['operatorAbuse']>> {
  const rows = await db.rows<CaseRow>(
    `select id, order_id, holder_id, tier, parts, coalesce(reason, '') as reason, made_at as at
     from reward where state = 'case' order by made_at, id limit 500`,
  );
  const orders = new Map(
    (
      await readOrders(
        db,
        rows.map((row) => row.order_id),
      )
    ).map(({ view, number }) => [view.id, number]),
  );
  const holders = await holdersById(
    db,
    rows.map((row) => row.holder_id),
  );
  return rows.map(({ id, tier, reason, parts, at, order_id: order, holder_id: holder }) => ({
    ...{ id, tier, reason, order: orders.get(order) ?? '', affiliate: holders.get(holder)?.email ?? '' },
    amount: format(money(REWARD_UNIT, BigInt(parts))),
    at: at.toISOString(),
  }));
}
