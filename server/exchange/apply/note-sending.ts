import type { PayoutBody } from '../../payments/index.ts';
import { IN_FLIGHT } from '../order/order.ts';
import type { Batch } from './batch.ts';

/**
 * Notes which transaction carries what an order sent. That may be another than at first: one with a higher fee took the first
 * one's place. Before the event that tells of it, so that letters name the one that counts.
 */
export function noteTransaction(batch: Batch, id: string, { intentId, txid }: PayoutBody): void {
  const { sent } = batch.order(id).view.facts;
  if (sent?.intent !== intentId || txid === undefined || txid === sent.txid) return;
  batch.revise(id, (view) => ({ ...view, facts: { ...view.facts, sent: { ...sent, txid } } }));
}

/** Notes how deep what an order sent is by now. */
export function noteSending(batch: Batch, id: string, body: PayoutBody): void {
  const { state, facts } = batch.order(id).view;
  if (!IN_FLIGHT.has(state) || facts.sent?.intent !== body.intentId) return;
  const params = { confirmations: String(body.confirmations ?? 0), needed: String(body.needed ?? 0), txid: body.txid ?? '' };
  batch.note(id, 'sending_progress', (view) => view, { who: 'R', body: params });
}
