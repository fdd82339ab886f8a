// Settlements for tests of higher rooms.

import assert from 'node:assert/strict';
import { alone } from '../../collecting/index.ts';
import type { Db } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import { partyOf, saveDebts } from '../settled/debt-rows.ts';
import { moveAll } from './move.ts';
import { setDaily } from '../plans/plan-rows.ts';

/** Moves all that a store may move to its owner's wallet, switches daily moves on, and notes a debt that is paid. */
export async function moveSettled(db: Db, store: Store): Promise<void> {
  await db.tx(async (tx) => {
    await setDaily(tx, store.id, true);
    await saveDebts(tx, [{ party: partyOf(store), unit: 'USDT', parts: 0n }]);
  });
  const { moved } = await alone(db, (work) => moveAll(work, store, 'owner'));
  assert.ok(moved.length > 0, 'nothing could move');
}
