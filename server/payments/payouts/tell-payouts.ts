import { type Leg, accounts, leg } from '../../ledger/index.ts';
import { type OutboxEvent, type Tx, outbox, newId } from '../../platform/index.ts';
import { type PaymentEvent, recordEvents } from '../payins/events.ts';
import { PAYOUT_EVENT, type PayoutBody, type PayoutEvent } from '../rails/event-bodies.ts';
import { subjectOf } from '../rails/owner.ts';
import type { Payout, PayoutChange } from './payout.ts';
import { returnedOf } from './returned.ts';
import type { Values } from '../rails/values.ts';

/**
 * Tells what became of payouts: one event for each thing that happened, for the owner of the payout to post. What the desk itself owns,
 * nobody else posts; so its capital is posted from here.
 */
export async function tellPayouts(tx: Tx, values: Values, changes: readonly PayoutChange[]): Promise<void> {
  await outbox.publish(
    tx,
    changes.flatMap(({ payout, events }) => events.map(({ event, extra }) => eventOf(payout, event, extra))),
  );
  const capital = changes
    .filter(({ payout }) => payout.owner.kind === 'desk')
    .flatMap(({ payout, events }) => events.flatMap(({ event, extra }) => capitalOf(payout, event, extra)));
  await recordEvents(tx, values, capital);
}

/** The same single event of many payouts. */
export function sameEvent(payouts: readonly Payout[], event: PayoutEvent, extra: Partial<PayoutBody> = {}): PayoutChange[] {
  return payouts.map((payout) => ({ payout, events: [{ event, extra }] }));
}

function eventOf(payout: Payout, event: PayoutEvent, extra: Partial<PayoutBody> = {}): OutboxEvent {
  const { id: intentId, owner, purpose, currency, unit } = payout;
  const body: PayoutBody = { intentId, owner, event, purpose, currency, unit, parts: payout.parts.toString(), ...extra };
  return { id: newId(), kind: PAYOUT_EVENT, subject: subjectOf(owner), body };
}

function capitalOf(
  { id, purpose, currency, unit, parts }: Payout,
  event: PayoutEvent,
  extra: Partial<PayoutBody> = {},
): PaymentEvent[] {
  const kind = purpose === 'rebalance' ? 'rebalance' : 'capital_out';
  const intent = accounts.payout(id, unit);
  const hot = accounts.custody(currency, 'hot', unit);
  const free = accounts.deskFree(unit);
  const posted = (legs: Leg[]): PaymentEvent[] => [{ kind, cause: id, legs, detail: { event } }];
  if (event === 'accepted' || event === 'found') return posted([leg(intent, hot, parts)]);
  if (event === 'refused' || event === 'absent') return posted([leg(intent, free, parts)]);
  if (event !== 'returned') return [];
  const { came, lost } = returnedOf(extra, parts);
  const legs = [
    [hot, came],
    [accounts.spent('rail', unit), lost],
  ] as const;
  return posted(legs.flatMap(([from, sum]) => (sum > 0n ? [leg(from, free, sum)] : [])));
}
