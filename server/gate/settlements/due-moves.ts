// Moves balances of stores automatically: at the end of a store's day, or for personal stores as soon as money is deep.

import { type UnitOfWork, alone } from '../../collecting/index.ts';
import { type Db, alarmOnce, log } from '../../platform/index.ts';
import { storesById } from '../stores/store-rows.ts';
import { moveAll } from './move.ts';
import { movedBackSince } from './settlement-rows.ts';
import { type SettlementPlan, isPlanDue, lockDuePlans, planNextDay, putOffPlan } from '../plans/plan-rows.ts';

/** Maximum number of stores that one turn moves. */
const TURN = 64;
const PUT_OFF_MS = 60_000;
/** Pause in ms until deep money of a personal store that could not move is tried again. */
const AGAIN_MS = 3_600_000;
/** Time in ms for which a personal store keeps money that its owner has moved back, so that it can be refunded. */
const KEPT_MS = 3_600_000;

const reportAltered = alarmOnce('the plan of a store’s moves was changed outside the product: nothing moves automatically');

/** Moves the balances of up to 64 stores whose moves are due, each in its own transaction. Returns their number. */
export async function dueMoves(db: Db): Promise<number> {
  if (!(await isPlanDue(db))) return 0;
  for (let count = 0; ; count += 1) {
    let storeId: string | undefined;
    try {
      const isDone = await alone(db, async (work) => {
        const [plan] = await lockDuePlans(work.tx, 1);
        storeId = plan?.storeId;
        if (plan) await fire(work, plan);
        return plan === undefined;
      });
      if (isDone || count + 1 === TURN) return count;
    } catch (error) {
      if (storeId === undefined) throw error;
      log.alarm('an automatic move of a store failed', { storeId, error });
      await putOffPlan(db, storeId, new Date((await db.now()).getTime() + PUT_OFF_MS));
    }
  }
}

async function fire(work: UnitOfWork, plan: SettlementPlan): Promise<void> {
  const { tx } = work;
  const { storeId, isDaily, isAltered } = plan;
  const store = (await storesById(tx, [storeId])).get(storeId);
  const isPersonal = store?.kind === 'personal';
  if (isAltered) reportAltered(storeId, { storeId });
  const back = isPersonal ? await movedBackSince(tx, storeId, new Date(tx.now.getTime() - KEPT_MS)) : undefined;
  if (back) return putOffPlan(tx, storeId, new Date(back.getTime() + KEPT_MS));
  const mayMove = store !== undefined && !isAltered && (isDaily || isPersonal);
  const { waits } = mayMove ? await moveAll(work, store, isDaily ? 'daily' : 'deep') : { waits: false };
  if (isPersonal && waits) await putOffPlan(tx, storeId, new Date(tx.now.getTime() + AGAIN_MS));
  else await planNextDay(tx, storeId);
}
