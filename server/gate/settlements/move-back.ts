// Moves money back from the owner's wallet to a store's balance, since a store that settles daily has nothing to refund from.
// The money leaves the wallet by the door that all money takes.

import { Problem, settlementAbout } from '@kurs/contract';
import { money } from '@kurs/money';
import { type SteppedUp, stepUp } from '../../auth/index.ts';
import { type UnitOfWork, alone, move } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { MONEY_OUT, passOut } from '../../moneyout/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { requireNotClosed } from '../businesses/business-store.ts';
import { planNow } from '../plans/plan-rows.ts';
import { openStore } from '../stores/store-rows.ts';
import { type Store, isTestStore } from '../stores/store.ts';
import { type MoveDeps, type Mover, type WantedMove, requireAmount } from './move.ts';
import { Debts } from '../settled/repay.ts';
import { type Settlement, addSettlement } from './settlement-rows.ts';
import { tellMoved } from './tell-moved.ts';

/** Kind of money out: a wallet funds the balance of a store. */
export const STORE_FUNDED = 'store_funded';

/**
 * Moves a sum from the wallet of a store's owner to the store's balance. A debt in its unit is repaid from it at once. In a personal
 * store it rests for an hour, so that it can be refunded. Throws `store_closed` for a test store, or of a closed business,
 * `not_enough_money`, `rates_unavailable`, `validation` on the amount, and the problems of the step-up and of money out.
 */
export async function moveToStore(deps: MoveDeps, mover: Mover, wanted: WantedMove, context: Context): Promise<Settlement> {
  const parts = requireAmount(wanted);
  const about = settlementAbout('to_store', wanted);
  const stepped = await stepUp(deps, mover, wanted, { purpose: MONEY_OUT, about });
  return alone(deps.db, async (work) => {
    await passTheDoor(work, { mover, stepped, unit: wanted.unit, parts, context });
    const store = await openStore(work.tx, wanted.store);
    if (isTestStore(store) || store.holderId !== mover.id) throw new Problem('store_closed');
    await requireNotClosed(work.tx, store);
    if (store.kind === 'personal') await planNow(work.tx, [store.id]);
    return fund(work, store, { unit: wanted.unit, parts, cause: 'owner' });
  });
}

interface Funding {
  readonly mover: Mover;
  readonly stepped: SteppedUp;
  readonly unit: string;
  readonly parts: bigint;
  readonly context: Context;
}

async function passTheDoor({ tx }: UnitOfWork, { mover, stepped, unit, parts, context }: Funding): Promise<void> {
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  const action = {
    ...{ id: newId(), kind: STORE_FUNDED, holder: { id: mover.id, email: mover.email } },
    ...{ usd: usdValue(snapshot, money(unit, parts)), unit, to: undefined, field: 'unit' },
    ...{ isOutgoing: false, device: context.deviceKey, ip: context.ip },
  };
  const [passed] = await passOut(tx, [{ stepped, action }]);
  if (!passed || passed instanceof Problem) throw passed ?? new Problem('internal');
}

/** Moves a sum from the wallet of a store's owner to the store's balance, which repays a debt in its unit at once. */
export async function fund(
  work: UnitOfWork,
  store: Store,
  { unit, parts, cause }: Pick<Settlement, 'unit' | 'parts' | 'cause'>,
): Promise<Settlement> {
  const { tx } = work;
  const { id: storeId, businessId, holderId } = store;
  const snapshot = latest();
  const usd = snapshot ? usdValue(snapshot, money(unit, parts)).parts : 0n;
  const settlement: Settlement = {
    ...{ id: newId(), storeId, businessId, holderId, direction: 'to_store', unit, parts, usd, cause, at: tx.now },
  };
  await addSettlement(tx, settlement);
  await tellMoved(tx, settlement);
  const debts = await Debts.lock(work, [store]);
  const funded = move(accounts.wallet(holderId, unit), accounts.merchant(storeId, unit), parts);
  const legs = [...funded, ...(await debts.repay(store, unit, parts))];
  await debts.save();
  work.post({ id: settlement.id, kind: 'merchant_funded', cause: settlement.id, legs }, 'not_enough_money');
  return settlement;
}
