// Settlements for tests of higher rooms.

import assert from 'node:assert/strict';
import { alone } from '../../collecting/index.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import { saveDebts } from '../settled/debt-rows.ts';
import { partyOf } from '../stores/debtor.ts';
import { writeOffDebt } from '../settled/write-off.ts';
import { lockWrittenOff, saveWriteOff } from '../settled/write-off-rows.ts';
import { moveAll } from './move.ts';
import { setDaily } from '../plans/plan-rows.ts';

/**
 * Moves all that a store may move to its owner's wallet, and switches daily moves on. A debt of its business was written off and
 * recovered.
 */
export async function moveSettled(db: Db, store: Store): Promise<void> {
  const { businessId = '' } = store;
  const [id, party, parts] = [newId(), partyOf(store), 1_000n];
  await db.tx(async (tx) => {
    await setDaily(tx, store.id, true);
    await saveDebts(tx, [{ party, unit: 'USDT', parts, byStore: new Map([[store.id, parts]]) }]);
    const legs = [leg(accounts.receivable(party, 'USDT'), accounts.deskFree('USDT'), parts)];
    await post(tx, [{ id: newId(), kind: 'write_off', cause: id, legs }]);
  });
  const decision = { businessId, unit: 'USDT', people: ['kim', 'lee'], evidence: 'It is insolvent.' };
  await db.tx((tx) => writeOffDebt(tx, id, decision));
  await db.tx(async (tx) => {
    const [one] = await lockWrittenOff(tx, businessId, 'USDT');
    await saveWriteOff(tx, { ...(one ?? assert.fail()), recovered: parts });
  });
  const { moved } = await alone(db, (work) => moveAll(work, store, 'owner'));
  assert.ok(moved.length > 0, 'nothing could move');
}
