// Applies the payments room's events about withdrawals and refunds of deposits in groups, with one posting at the end.

import { type OwnedEvent, UnitOfWork } from '../../collecting/index.ts';
import { takeBackOut, uncountOut } from '../../moneyout/index.ts';
import { type PayoutBody, reserveFloat } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import { applyGivenBack } from '../deposits/decide-deposit.ts';
import { queueLetter } from '../withdrawals/letters.ts';
import { noteFinds } from '../deposits/note-debts.ts';
import { peopleToApprove } from '../withdrawals/withdraw.ts';
import { CAME_TO_NOTHING, type Withdrawal, stepOf } from '../withdrawals/withdrawal.ts';
import { lockWithdrawals, saveWithdrawals } from '../withdrawals/withdrawal-store.ts';

/**
 * Applies a group of events, oldest first. If the machine has no step for an event in the withdrawal's state, only the
 * withdrawal's confirmations are updated.
 */
export async function applyPayouts(tx: Tx, events: readonly OwnedEvent[], name: string): Promise<void> {
  const all = events.map(({ id, body }) => ({ id, body: body as PayoutBody }));
  const published = all.filter(({ body }) => body.purpose !== 'refund');
  const unit = new UnitOfWork(tx);
  await applyGivenBack(
    unit,
    all.filter(({ body }) => body.purpose === 'refund'),
    name,
  );
  const known = await lockWithdrawals(
    tx,
    published.map(({ body }) => body.intentId),
  );
  await noteFinds(tx, all);
  const changed = new Map<string, Withdrawal>();
  for (const { id, body } of published) {
    const one = changed.get(body.intentId) ?? known.get(body.intentId);
    if (!one) throw new Error(`The event ${id} is about a withdrawal that does not exist: ${body.intentId}`);
    const step = stepOf(one, body.event, id);
    unit.post(step?.journal);
    const isStored = step?.next === 'approving';
    changed.set(one.id, {
      ...one,
      status: step?.next ?? one.status,
      statusAt: step ? tx.now : one.statusAt,
      txid: body.txid ?? one.txid,
      confirmations: body.confirmations ?? one.confirmations,
      needed: body.needed ?? one.needed,
      reason: body.reason ?? one.reason,
      ...(isStored && storedAs(one)),
    });
  }
  const moved = [...changed.values()].filter(({ id, status }) => known.get(id)?.status !== status);
  const ended = moved.filter(({ status }) => CAME_TO_NOTHING.has(status));
  const stored = moved.filter(({ status }) => status === 'approving');
  await takeBackOut(
    tx,
    ended.map(({ id }) => id),
  );
  await uncountOut(
    tx,
    stored.map(({ id }) => id),
  );
  await saveWithdrawals(tx, [...changed.values()]);
  for (const one of stored) {
    await reserveFloat(tx, one);
    await queueLetter(tx, name, one, 'kept');
  }
  for (const one of moved.filter(({ status }) => status === 'done')) await queueLetter(tx, name, one, 'done');
  for (const one of ended) await queueLetter(tx, name, one, 'failed');
  await unit.commit();
}

/**
 * Returns the approval fields of a withdrawal that was held back: at least one person must approve it again, even if it was
 * approved before.
 */
const storedAs = (one: Withdrawal): Pick<Withdrawal, 'people' | 'approved' | 'decidedBy'> => ({
  people: peopleToApprove(one),
  approved: 0,
  decidedBy: undefined,
});
