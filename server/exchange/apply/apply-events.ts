// Applies the events that the payments room publishes about orders' pay-ins and payouts. Many events share one lock and one
// posting.

import {
  type PaymentVerdict,
  type OwnedEvent,
  type PaidFor,
  STRANGER,
  UnitOfWork,
  isInLock,
  checkPayments,
  paymentOf,
} from '../../collecting/index.ts';
import { addSources } from '../../compliance/index.ts';
import { PAYIN_EVENT, type PayinBody, type PayoutBody, WAY_EVENT, type WayBody, currencyOf } from '../../payments/index.ts';
import { type Left, type Owner, type Tx, newId } from '../../platform/index.ts';
import { type Leg, accounts } from '../../ledger/index.ts';
import { applyPayout, need } from './apply-payout.ts';
import { Batch, newNumber } from './batch.ts';
import { DeskState } from './desk-state.ts';
import type { Context } from '../order/events/events.ts';
import type { Sender } from '../letters/letters.ts';
import { heldBy, unallocatedOf } from '../machine/derived-orders.ts';
import type { OrderView, Payment } from '../order/order.ts';
import { isUnneeded } from '../order/money/payment-coverage.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, familyIds, readOrders } from '../order/store/order-store.ts';
import { fireTimers } from './fire-timers.ts';
import { giveBackEverywhere, holdersOf, lockFamilies, takeBackEverywhere } from './take-back.ts';

/** The exchange's name as a subscriber. */
export const SUBSCRIBER = 'exchange';

type PaymentsEvent =
  | { readonly id: string; readonly orderId: string; readonly kind: 'payin'; readonly body: PayinBody }
  | { readonly id: string; readonly orderId: string; readonly kind: 'payout'; readonly body: PayoutBody }
  | { readonly id: string; readonly orderId: string; readonly kind: 'way'; readonly body: WayBody };

/** Events that are being applied together, with the data that they share. */
interface Group {
  readonly tx: Tx;
  readonly batch: Batch;
  readonly check: (payin: PayinBody) => PaymentVerdict;
  /** Returns the final payments of orders outside the batch that belong to the same families as the orders of these events. */
  readonly heldElsewhere: () => Promise<ReadonlySet<string>>;
}

type Verdict = Context['screening'];

/** Reason for leaving an event in the queue. */
const ALTERED = 'the order’s row was changed outside the product';
/** Reason for leaving an event in the queue. */
const UNHELD = 'no order has the payment that was taken back';

/**
 * Applies events, oldest first, in one transaction. Throws if the ledger refuses the posting; the caller then tries each half of
 * the events. Returns the events that stay in the queue, with reasons. These are final payments that wait for their screening,
 * reversals of payments that no order has yet, and events of altered orders.
 */
export async function applyEvents(tx: Tx, events: readonly OwnedEvent[], sender: Sender): Promise<Left | undefined> {
  const published = events.map(paymentsEvent);
  const orders = await lockWithFamilies(tx, published);
  await addSources(tx, published.flatMap(sourcesOf));
  const check = await checkPayments(tx, paidFor(published, orders));
  const batch = new Batch(new UnitOfWork(tx), new DeskState(tx.now), sender, orders);
  const group = { tx, batch, check, heldElsewhere: paymentsElsewhere(tx, batch, published) };
  const leave = new Map<string, string>();
  /** Orders that have an event left in the queue: their later events wait with it. */
  const left = new Map<string, string>();
  for (const event of published) {
    if (!batch.has(event.orderId))
      throw new Error(`The event ${event.id} is about an order that does not exist: ${event.orderId}`);
    const { verdict, why = '' } = event.kind === 'payin' ? check(event.body) : ({ verdict: 'clean' } as const);
    const altered = alteredOf(batch.order(event.orderId));
    const reason = left.get(event.orderId) ?? altered ?? (isUnheld(group, event) ? UNHELD : undefined);
    if (reason !== undefined || verdict === 'waits') {
      left.set(event.orderId, reason ?? why);
      leave.set(event.id, reason ?? why);
    } else if (event.kind === 'payin') await applyPayin(group, event.orderId, event.body, verdict);
    else if (event.kind === 'payout') await applyPayout(tx, batch, event.orderId, event.body);
    else noteWay(batch, event.orderId, event.body);
  }
  await batch.commit();
  return leave.size > 0 ? { leave } : undefined;
}

function alteredOf(order: StoredOrder): string | undefined {
  if (!order.isAltered) return undefined;
  reportAltered(order);
  return ALTERED;
}

/**
 * Locks the orders of these events. For a payment that is taken back or comes back, also locks all orders that descend from the
 * payment's order.
 */
function lockWithFamilies(tx: Tx, events: readonly PaymentsEvent[]): Promise<StoredOrder[]> {
  const roots = events.filter(isAboutFamily).map(({ orderId }) => orderId);
  return lockFamilies(tx, { ids: events.map(({ orderId }) => orderId), roots });
}

/** Returns the payments among the events, each with its order as the owner. */
function paidFor(events: readonly PaymentsEvent[], orders: readonly StoredOrder[]): PaidFor[] {
  const emails = new Map(orders.map(({ view, email }) => [view.id, email]));
  return events.flatMap(({ kind, orderId: id, body }): PaidFor[] => {
    if (kind !== 'payin') return [];
    const email = emails.get(id);
    return [{ body, reportedTo: id, by: email === undefined ? undefined : { owner: { kind: 'order', id }, email } }];
  });
}

function paymentsEvent({ id, kind, ownerId: orderId, body }: OwnedEvent): PaymentsEvent {
  if (kind === WAY_EVENT) return { id, orderId, kind: 'way', body: body as WayBody };
  return kind === PAYIN_EVENT
    ? { id, orderId, kind: 'payin', body: body as PayinBody }
    : { id, orderId, kind: 'payout', body: body as PayoutBody };
}

/** Returns the sources of a payment that was just seen: customers who share a source share limits. */
function sourcesOf({ orderId: id, kind, body }: PaymentsEvent): { owner: Owner; source: string }[] {
  if (kind !== 'payin' || (body.event !== 'seen' && body.event !== 'final')) return [];
  return body.from.map((address) => ({ owner: { kind: 'order', id }, source: `${body.currency}:${address}` }));
}

/** True if an event is about a payment that is taken back or comes back: several orders may have parts of its money. */
const isAboutFamily = ({ kind, body }: PaymentsEvent): boolean =>
  kind === 'payin' && (body.event === 'reversed' || 'isBack' in body);

/**
 * True if the event reports that a payment was taken back, and no order has this payment yet. The event then waits until an order
 * has the payment, so that the reversal is not lost.
 */
const isUnheld = ({ batch }: Group, { kind, body }: PaymentsEvent): boolean =>
  kind === 'payin' && body.event === 'reversed' && holdersOf(batch, body.payinId, 'final').length === 0;

// --- pay-ins

async function applyPayin(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { tx, batch } = group;
  const rail = { who: 'R', body: { txid: body.txid } };
  if (body.isForeign) return applyForeign(group, id, body, verdict);
  switch (body.event) {
    case 'seen':
      if (holdersOf(batch, body.payinId, 'reversed').length > 0) return;
      await beforeObservedPayment(group, id, body);
      return need(batch, id, { type: 'payin_seen', payment: paymentOf(body, 'seen') }, rail);
    case 'progress':
      return noteProgress(batch, id, body);
    case 'dropped': {
      const seen = batch.order(id).view.payments.some((one) => one.id === body.payinId && one.status === 'seen');
      return seen ? need(batch, id, { type: 'payin_dropped', payment: body.payinId }, rail) : undefined;
    }
    case 'final':
      return applyFinal(group, id, body, verdict);
    case 'reversed':
      await takeBackEverywhere(tx, batch, body);
  }
}

/**
 * Fires an order's due timers before a payment made after the lock's end is applied, because such a payment doesn't keep the
 * locked rate.
 */
async function beforeObservedPayment({ tx, batch }: Group, id: string, body: PayinBody): Promise<void> {
  const { view } = batch.order(id);
  const { state, facts } = view;
  const late = !isInLock(view, paymentOf(body, 'seen'));
  if (!late || facts.isLate || (state !== 'awaiting' && state !== 'choosing')) return;
  await batch.readDesk();
  await fireTimers(tx, batch, id);
}

/**
 * True if some order of the family already has the final payment. The event then repeats an earlier event, so the payments room
 * should never have sent it.
 */
async function isCounted({ batch, heldElsewhere }: Group, id: string, payin: string): Promise<boolean> {
  if (holdersOf(batch, payin, 'final').length > 0) return true;
  if (batch.order(id).view.payments.some((one) => one.id === payin && one.status === 'seen')) return false;
  return (await heldElsewhere()).has(payin);
}

/**
 * Returns a function that reads the final payments of related orders outside the batch. The function reads only on its first
 * call, for all events. The batch never changes orders outside it, so the result stays valid.
 */
function paymentsElsewhere(tx: Tx, batch: Batch, events: readonly PaymentsEvent[]): () => Promise<ReadonlySet<string>> {
  const requests = events.flatMap(({ kind, orderId, body }) => (kind === 'payin' && body.event === 'final' ? [orderId] : []));
  const read = async (): Promise<ReadonlySet<string>> => {
    const others = (await familyIds(tx, [...new Set(requests)])).filter((other) => !batch.has(other));
    const family = await readOrders(tx, others);
    return new Set(family.flatMap(({ view }) => view.payments.flatMap(({ id, status }) => (status === 'final' ? [id] : []))));
  };
  let reading: Promise<ReadonlySet<string>> | undefined;
  return () => (reading ??= read());
}

async function applyFinal(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { batch, check } = group;
  const rail = { who: 'R', body: { txid: body.txid }, ...(check(body).isStranger && { why: STRANGER }) };
  if (
    (await giveBackEverywhere(batch, body, verdict)) > 0n ||
    body.part !== undefined ||
    (await isCounted(group, id, body.payinId))
  )
    return;
  const { view } = batch.order(id);
  const payment = paymentOf(body, 'final');
  if (verdict !== 'clean' && isUnneeded(view, payment)) {
    // A flagged payment that the order doesn't need becomes an unallocated payment of its own, which is held.
    const isSeen = view.payments.some((one) => one.id === payment.id);
    if (isSeen) await need(batch, id, { type: 'payin_dropped', payment: payment.id }, rail);
    openHeldUnallocated(group, id, payment, verdict);
    return;
  }
  await need(batch, id, { type: 'payin_final', payment }, rail, { screening: verdict });
}

function openHeldUnallocated({ tx, batch }: Group, id: string, payment: Payment, held: 'soft' | 'hard'): void {
  const parent = batch.order(id);
  const unallocated = unallocatedOf(parent, { id: newId(), pieces: [payment], held }, newNumber(), tx.now);
  batch.openUnallocated(unallocated, unallocatedLegs(unallocated.view, payment), parent);
}

/** Returns the leg that moves a payment from custody to the unallocated account, for a payment that never belonged to the order. */
function unallocatedLegs({ id, give }: OrderView, payment: Payment): Leg[] {
  return [
    {
      from: accounts.custody(give.currency, payment.place, give.unit),
      to: accounts.unallocated(id, give.unit),
      parts: payment.parts,
    },
  ];
}

/**
 * Handles a payment in another currency than the order's. Once it is final, it becomes an unallocated payment in that currency;
 * before, it is ignored.
 */
async function applyForeign(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { tx, batch } = group;
  if (body.event === 'reversed') return void (await takeBackEverywhere(tx, batch, body));
  if (
    body.event !== 'final' ||
    (await giveBackEverywhere(batch, body, verdict)) > 0n ||
    (await isCounted(group, id, body.payinId))
  )
    return;
  const parent = batch.order(id);
  const side = {
    currency: body.currency,
    unit: body.unit,
    rail: currencyOf(body.currency)?.rail ?? parent.view.give.rail,
    parts: 0n,
  };
  const payment = paymentOf(body, 'final');
  await batch.readDesk();
  const held = verdict !== 'clean' ? verdict : heldBy(batch.context(id).owes);
  const unallocated = unallocatedOf(parent, { id: newId(), pieces: [payment], side, ...(held && { held }) }, newNumber(), tx.now);
  batch.openUnallocated(unallocated, unallocatedLegs(unallocated.view, payment), parent);
}

function noteProgress(batch: Batch, id: string, body: PayinBody): void {
  const { view } = batch.order(id);
  if (!view.payments.some((one) => one.id === body.payinId && one.status === 'seen')) return;
  const updated = paymentOf(body, 'seen');
  const params = { confirmations: String(body.confirmations), needed: String(body.needed), txid: body.txid };
  const change = (order: OrderView): OrderView => ({
    ...order,
    payments: order.payments.map((one) => (one.id === body.payinId && one.status === 'seen' ? updated : one)),
  });
  batch.note(id, 'progress', change, { who: 'R', body: params });
}

/** Stores a report in the order's facts: a provider's payment instructions, the provider's refusal, or the result of an entered voucher. */
function noteWay(batch: Batch, id: string, { event, way, reason }: WayBody): void {
  const facts: Partial<OrderView['facts']> =
    event === 'ready' && way
      ? { payWay: way }
      : event === 'refused'
        ? { payWay: 'refused' }
        : { entry: event === 'entry_taken' ? 'taken' : (reason ?? 'unavailable') };
  batch.note(id, `pay_${event}`, (view) => ({ ...view, facts: { ...view.facts, ...facts } }), {
    who: 'R',
    body: { ...(reason !== undefined && { reason }) },
  });
}
