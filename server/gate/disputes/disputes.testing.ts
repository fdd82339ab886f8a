// Costs of disputes for tests of higher rooms.

import assert from 'node:assert/strict';
import { currencyOf } from '../../payments/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import { bookDisputeCost } from './dispute-cost.ts';

/** Books a small cost of a dispute about a payment that was settled to a store. `currency`: that of the payment. */
export async function bookCostFor(db: Db, { id: storeId, businessId = '' }: Store, currency: string): Promise<void> {
  const paid = await db.row<{ id: string; unit: string }>('select id, unit from settled_payment where store_id = $1', [storeId]);
  const [info, payment] = [currencyOf(currency) ?? assert.fail('no currency'), paid ?? assert.fail('nothing is settled')];
  const about = { paymentId: payment.id, unit: payment.unit, businessId, storeId, currency: info, booked: 0n, isAltered: false };
  const decision = { parts: 10n, people: ['kim', 'lee'], evidence: 'A statement.' };
  await db.tx((tx) => bookDisputeCost(tx, newId(), about, decision));
}
