import { Problem } from '@kurs/contract';
import { type Owner, type Statements, type Tx, subjectOf } from '../../platform/index.ts';
import { finishCustomers } from '../customers/customer-store.ts';
import { freeHolds } from './hold-store.ts';
import { forgetKeys } from './keys.ts';
import { dropUses, forgetUses, mailboxesOf } from './limit-store.ts';
import { bindPayers } from './payers.ts';
import { forgetUnpaid } from './unpaid-store.ts';
import { endUnpaid } from './unpaid.ts';

/**
 * Outcome of an owner, for its limits, its unpaid status and the money set aside for it:
 * - `paid`: a payment is final. The owner is no longer unpaid, and compliance's totals no longer include the money set aside for
 *   it
 * - `expired`, `cancelled`: the owner ended unpaid. Limits no longer include it, and the money set aside is released
 * - `ended`: refunded, reversed or rejected after a payment. Limits no longer include the owner
 * - `completed`: paid out. Limits still include the owner, and its customer is no longer treated as a visitor
 */
export interface Settlement {
  readonly owner: Owner;
  readonly outcome: 'paid' | 'expired' | 'cancelled' | 'ended' | 'completed';
}

/** Applies the outcomes of owners. Safe to repeat. Throws if an owner is given twice in a call. */
export async function settle(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  const withOutcome = (...outcomes: Settlement['outcome'][]): Owner[] =>
    settlements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ owner }) => owner);
  if (new Set(settlements.map(({ owner }) => subjectOf(owner))).size !== settlements.length)
    throw new Problem('internal', { cause: new Error('something is settled twice in one group') });
  await dropUses(tx, withOutcome('expired', 'cancelled', 'ended'));
  const done = withOutcome('completed');
  if (done.length > 0) {
    await finishCustomers(tx, await mailboxesOf(tx, done));
    await bindPayers(tx, done);
  }
  await endUnpaid(tx, {
    paid: withOutcome('paid', 'ended', 'completed'),
    expired: withOutcome('expired'),
    cancelled: withOutcome('cancelled'),
  });
  await freeHolds(
    tx,
    settlements.map(({ owner }) => owner),
  );
}

/** Deletes stored sums, unpaid owners and keys that no limit uses any more. */
export async function forgetCounted(db: Statements): Promise<void> {
  await forgetUses(db);
  await forgetUnpaid(db);
  await forgetKeys(db);
}
