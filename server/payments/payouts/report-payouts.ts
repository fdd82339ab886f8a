import type { Journal } from '../../ledger/index.ts';
import { type OutboxEvent, type Tx, outbox, newId } from '../../platform/index.ts';
import { PAYOUT_EVENT, type PayoutBody, type PayoutEvent } from '../rails/event-bodies.ts';
import { subjectOf } from '../rails/owner.ts';
import { journalsOf } from './payout-books.ts';
import type { Payout, PayoutChange } from './machine/payout.ts';
import type { Values } from '../rails/values.ts';

/**
 * Publishes an event to the owner for each change of a payout. Returns the journals, which the caller posts last in its
 * transaction (`postPayouts`).
 */
export async function reportPayouts(tx: Tx, values: Values, changes: readonly PayoutChange[]): Promise<Journal[]> {
  await outbox.publish(
    tx,
    changes.flatMap(({ payout, events }) => events.map(({ event, extra }) => eventOf(payout, event, extra))),
  );
  return journalsOf(values, changes);
}

/** Returns a change with the same event for each payout. */
export function sameEvent(payouts: readonly Payout[], event: PayoutEvent, extra: Partial<PayoutBody> = {}): PayoutChange[] {
  return payouts.map((payout) => ({ payout, events: [{ event, extra }] }));
}

function eventOf(payout: Payout, event: PayoutEvent, extra: Partial<PayoutBody> = {}): OutboxEvent {
  const { id: intentId, owner, purpose, currency, unit } = payout;
  const body: PayoutBody = { intentId, owner, event, purpose, currency, unit, parts: payout.parts.toString(), ...extra };
  return { id: newId(), kind: PAYOUT_EVENT, subject: subjectOf(owner), body };
}
