// Tells a store that money moved between its balance and its owner's wallet.

import { type Tx, newId } from '../../platform/index.ts';
import { publishTold } from '../events/tell-stores.ts';
import { insertMovedEvent } from '../rows/event-rows.ts';
import type { Settlement } from './settlement-rows.ts';
import { settlementView } from './views.ts';

/** Stores the event of a move, and publishes it to the webhooks of its store. */
export async function tellMoved(tx: Tx, settlement: Settlement): Promise<void> {
  const { id: settlementId, storeId, at } = settlement;
  const data = { ...settlementView(settlement), test: false };
  const id = newId();
  await insertMovedEvent(tx, { id, storeId, at, settlementId, data });
  await publishTold(tx, { id, storeId, kind: 'settlement.moved', data });
}
