// What payments tells of what an order sends: what came of it moves the order, how far it is stands in its timeline alone.

import { type PayoutBody, returnedOf, stopPayout } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Batch } from './batch.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { noteFound } from './note-found.ts';
import { noteSending, noteTransaction } from './note-sending.ts';
import { IN_FLIGHT, type OrderView } from '../order/order.ts';

/**
 * Stops what an order sends; false where it can't be stopped any more, since the worker took it or it was sent. One that was
 * asked for in this batch is not there for the worker yet. Where its customer owes, its outcome settles that, or its owner
 * keeps it: it is not stopped.
 */
export async function stopSending(tx: Tx, batch: Batch, id: string): Promise<boolean> {
  const { state, facts, positions } = batch.order(id).view;
  if (!IN_FLIGHT.has(state)) return true;
  if (positions.receivable > 0n) return false;
  const { intent } = facts.transfer ?? {};
  return intent !== undefined && (batch.withdrawPayout(intent) || stopPayout(tx, intent));
}

/** What payments tells of a payout that changes nothing of its order: a row of the timeline, and who makes it. */
const ONLY_TOLD: Partial<Record<PayoutBody['event'], 'S' | 'R'>> = {
  send: 'S',
  unknown: 'S',
  resend: 'S',
  dedupe_over: 'S',
  vanished: 'R',
};

/** Who makes what payments tells happen, where it isn't the rail. */
const MADE_BY: Partial<Record<PayoutBody['event'], string>> = { kept: 'S', found: 'S', absent: 'S' };

/** Applies what payments tells of a payout to its order. */
export async function applyPayout(tx: Tx, batch: Batch, id: string, body: PayoutBody): Promise<void> {
  noteTransaction(batch, id, body);
  const by = {
    ...(body.reason !== undefined && { why: body.reason }),
    body: { ...(body.txid !== undefined && { txid: body.txid }) },
  };
  const { facts, state } = batch.order(id).view;
  const isAbout = IN_FLIGHT.has(state) && (facts.transfer ?? facts.sent)?.intent === body.intentId;
  const who = ONLY_TOLD[body.event];
  if (isAbout && who) batch.note(id, body.event, (view) => view, { ...by, who });
  const event = eventFor(batch.order(id).view, body);
  if (event) {
    const told = body.resolved && event.type !== 'transfer_final' ? ({ as: 'resolve', who: 'O2' } as const) : toldAs(event, body);
    await need(batch, id, event, { ...by, ...told });
  }
  if (body.event === 'progress') noteSending(batch, id, body);
  await noteFound(tx, batch, id, body);
}

/** What the timeline calls what payments tells, and who made it. */
function toldAs({ type }: OrderEvent, { event }: PayoutBody): { as?: string; who: string } {
  const isOutcome = type === 'transfer_sent' || type === 'transfer_failed';
  return { who: MADE_BY[event] ?? 'R', ...(isOutcome && { as: event === 'kept' ? 'refused' : event }) };
}

/**
 * The machine's event for what payments tells of a payout; undefined where it has none. What is about another intent than the
 * one that is out means nothing.
 */
function eventFor({ state, facts, positions }: OrderView, body: PayoutBody): OrderEvent | undefined {
  const isOver = positions.receivable > 0n || facts.freezeNoted;
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
      return { type: 'transfer_failed', passing: body.passing === true };
    case 'absent':
      return { type: 'transfer_failed', passing: !body.resolved };
    case 'kept':
      // Taken back, or to be frozen, meanwhile: what it holds settles that, and nobody is asked about it.
      return isOver ? { type: 'transfer_failed', passing: false, kept: true } : { type: 'stop' };
    default:
      return undefined;
  }
}

/** Decides an event that can't be refused: the machine takes what rails tell in every state. */
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
