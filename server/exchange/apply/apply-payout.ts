// Applies the payments room's events about an order's transfer. The transfer's outcome changes the order's state; its progress
// only appears in the timeline.

import { type PayoutBody, returnedOf, stopPayout } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Batch } from './batch.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { noteFound } from './note-found.ts';
import { noteSending, noteTransaction } from './note-sending.ts';
import { IN_FLIGHT, type OrderView } from '../order/order.ts';

/**
 * Stops an order's transfer. Returns false if the transfer was sent, or the worker has taken it already. A transfer that this
 * batch requested is withdrawn, as the worker doesn't see it yet. If the customer owes money for the order, the transfer is not
 * stopped: its outcome settles the debt, or the last check before sending stops it.
 */
export async function stopSending(tx: Tx, batch: Batch, id: string): Promise<boolean> {
  const { state, facts, positions } = batch.order(id).view;
  if (!IN_FLIGHT.has(state)) return true;
  if (positions.receivable > 0n) return false;
  const { intent } = facts.transfer ?? {};
  return intent !== undefined && (batch.withdrawPayout(intent) || stopPayout(tx, intent));
}

/** Events of a payout that only add a row to the order's timeline, with the actor named there. */
const ONLY_REPORTED: Partial<Record<PayoutBody['event'], 'S' | 'R'>> = {
  send: 'S',
  unknown: 'S',
  resend: 'S',
  dedupe_over: 'S',
  vanished: 'R',
};

/** Actor of events from the payments room that are not facts of a rail. */
const MADE_BY: Partial<Record<PayoutBody['event'], string>> = { kept: 'S', found: 'S', absent: 'S' };

/** Applies an event about a payout to its order. */
export async function applyPayout(tx: Tx, batch: Batch, id: string, body: PayoutBody): Promise<void> {
  noteTransaction(batch, id, body);
  const by = {
    ...(body.reason !== undefined && { why: body.reason }),
    body: { ...(body.txid !== undefined && { txid: body.txid }) },
  };
  const { facts, state } = batch.order(id).view;
  const isAbout = IN_FLIGHT.has(state) && (facts.transfer ?? facts.sent)?.intent === body.intentId;
  const who = ONLY_REPORTED[body.event];
  if (isAbout && who) batch.note(id, body.event, (view) => view, { ...by, who });
  const event = eventFor(batch.order(id).view, body);
  if (event) {
    const reported =
      body.isResolved && event.type !== 'transfer_final' ? ({ as: 'resolve', who: 'O2' } as const) : reportedAs(event, body);
    await need(batch, id, event, { ...by, ...reported });
  }
  if (body.event === 'progress') noteSending(batch, id, body);
  await noteFound(tx, batch, id, body);
}

/** Returns the actor, and the name in the timeline, for an event from the payments room. */
function reportedAs({ type }: OrderEvent, { event }: PayoutBody): { as?: string; who: string } {
  const isOutcome = type === 'transfer_sent' || type === 'transfer_failed';
  return { who: MADE_BY[event] ?? 'R', ...(isOutcome && { as: event === 'kept' ? 'refused' : event }) };
}

/**
 * Returns the machine's event for an event about a payout; undefined if there is none. Events about another intent than the
 * order's current transfer are ignored.
 */
function eventFor({ state, facts, positions }: OrderView, body: PayoutBody): OrderEvent | undefined {
  const isOver = positions.receivable > 0n || facts.isFreezePending;
  if (facts.transfer === undefined && facts.sent?.intent === body.intentId) {
    if (body.event === 'final' && IN_FLIGHT.has(state)) return { type: 'transfer_final' };
    if (body.event === 'returned') return { type: 'transfer_returned', back: returnedOf(body, BigInt(body.parts)) };
    return undefined;
  }
  if (facts.transfer?.intent !== body.intentId || !IN_FLIGHT.has(state)) return undefined;
  switch (body.event) {
    case 'accepted':
    case 'found':
      return { type: 'transfer_sent', ...(body.txid !== undefined && { txid: body.txid }) };
    case 'refused':
      return { type: 'transfer_failed', isTransient: body.isTransient === true };
    case 'absent':
      return { type: 'transfer_failed', isTransient: !body.isResolved };
    case 'kept':
      // The customer owes money, or the order is to be frozen: the payout's money is used for that, and the customer is not
      // asked.
      return isOver ? { type: 'transfer_failed', isTransient: false, isRetained: true } : { type: 'stop' };
    default:
      return undefined;
  }
}

/** Decides an event that the machine must accept, because facts of a rail are accepted in every state. Throws if the machine refuses it. */
export async function need(
  batch: Batch,
  id: string,
  event: OrderEvent,
  by: Parameters<Batch['decide']>[2],
  given: { readonly screening?: Context['screening'] } = {},
): Promise<void> {
  const outcome = await batch.decideReading(id, event, by, given);
  if (outcome.refused !== undefined)
    throw new Error(`${event.type} was refused in ${batch.order(id).view.state}: ${outcome.refused}`);
}
