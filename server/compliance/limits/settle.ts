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
 * What became of an owner, for its limits, its being unpaid and its hold alike:
 * - `paid`: a payment is final; it is unpaid no more, and its hold is its own affair
 * - `expired`, `cancelled`: it ended unpaid; it stops counting towards limits, its hold is free
 * - `ended`: it came to nothing after all (refunded, reversed, rejected); it stops counting
 * - `completed`: paid out; it counts on, and its customer is no mere visitor any more
 */
export interface Settlement {
  readonly owner: Owner;
  readonly outcome: 'paid' | 'expired' | 'cancelled' | 'ended' | 'completed';
}

/** Applies what became of owners, one or a whole group. Safe to repeat. Throws where one is settled twice in a group. */
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

/** Forgets what nothing counts any more. */
export async function forgetCounted(db: Statements): Promise<void> {
  await forgetUses(db);
  await forgetUnpaid(db);
  await forgetKeys(db);
}
