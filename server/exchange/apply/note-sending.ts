import type { PayoutBody } from '../../payments/index.ts';
import { IN_FLIGHT } from '../order/order.ts';
import type { Batch } from './batch.ts';

/**
 * Stores the transaction that carries an order's transfer: a replacement with a higher fee has another id. Runs before the event
 * itself is applied, so that letters name the right transaction.
 */
export function noteTransaction(batch: Batch, id: string, { intentId, txid }: PayoutBody): void {
  const { sent } = batch.order(id).view.facts;
  if (sent?.intent !== intentId || txid === undefined || txid === sent.txid) return;
  batch.revise(id, (view) => ({ ...view, facts: { ...view.facts, sent: { ...sent, txid } } }));
}

/** Adds the confirmations of an order's transfer to its timeline. */
export function noteSending(batch: Batch, id: string, body: PayoutBody): void {
  const { state, facts } = batch.order(id).view;
  if (!IN_FLIGHT.has(state) || facts.sent?.intent !== body.intentId) return;
  const params = { confirmations: String(body.confirmations ?? 0), needed: String(body.needed ?? 0), txid: body.txid ?? '' };
  batch.note(id, 'sending_progress', (view) => view, { who: 'R', body: params });
}
