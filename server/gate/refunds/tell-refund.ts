// Tells a store what happened to its refunds: stores the events, and publishes them to the store's webhooks.

import { type Tx, newId } from '../../platform/index.ts';
import type { RefundEventData } from '../events/store-event.ts';
import { publishTold } from '../events/tell-stores.ts';
import { type RefundNews, insertRefundEvent } from '../rows/event-rows.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import type { Claim, Refund } from './machine/refund.ts';
import { claimRowWire, refundRowWire } from './wire.ts';

/** Stores an event of a refund, as changed by it, and publishes it. `claim`: the claim that the event is about. */
export async function tellRefund(tx: Tx, refund: Refund, news: RefundNews, claim?: Claim): Promise<void> {
  const { id: refundId, store, version, state, invoiceId } = refund;
  const [invoice] = invoiceId === undefined ? [] : await invoicesById(tx, [invoiceId]);
  const data = refundData(refund, invoice?.orderId, claim);
  const id = newId();
  await insertRefundEvent(tx, { id, refundId, storeId: store.id, version, state, news, claimId: claim?.id, data });
  await publishTold(tx, { id, storeId: store.id, kind: `refund.${news}`, data, thread: { name: refundId, place: version } });
}

/** Returns the content of an event, without the addresses of the claimant. */
function refundData(refund: Refund, orderId: string | undefined, claim: Claim | undefined): RefundEventData {
  const { email: _email, created_at: _created, ...row } = refundRowWire(refund);
  return {
    ...row,
    ...(orderId !== undefined && { order_id: orderId }),
    ...(claim && { claim: claimData(claim) }),
  };
}

function claimData(claim: Claim): NonNullable<RefundEventData['claim']> {
  const { to: _to, ...row } = claimRowWire(claim);
  return row;
}
