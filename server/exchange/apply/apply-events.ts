// What payments tell of an order's pay-ins and sends, applied in groups: one lock, one posting.

import {
  type Judgement,
  type OwnedEvent,
  type PaidFor,
  STRANGER,
  UnitOfWork,
  isInLock,
  judgePayments,
  paymentOf,
} from '../../collecting/index.ts';
import { addSources } from '../../compliance/index.ts';
import { PAYIN_EVENT, type PayinBody, type PayoutBody, WAY_EVENT, type WayBody, currencyOf } from '../../payments/index.ts';
import { type Left, type Owner, type Tx, newId } from '../../platform/index.ts';
import { type Leg, accounts } from '../../ledger/index.ts';
import { applyPayout, need, stopSending } from './apply-payout.ts';
import { Batch, newNumber } from './batch.ts';
import { DeskState } from './desk-state.ts';
import type { Context } from '../order/events/events.ts';
import type { Sender } from '../letters/letters.ts';
import { heldBy, unallocatedOf } from '../machine/derived-orders.ts';
import type { OrderView, Payment } from '../order/order.ts';
import { isUnneeded } from '../order/money/payment-coverage.ts';
import { tellAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, familyIds, lockOrders, readOrders } from '../order/store/order-store.ts';
import { fireTimers } from './fire-timers.ts';

/** The exchange's name as a subscriber. */
export const SUBSCRIBER = 'exchange';

type PaymentsEvent =
  | { readonly id: string; readonly orderId: string; readonly kind: 'payin'; readonly body: PayinBody }
  | { readonly id: string; readonly orderId: string; readonly kind: 'payout'; readonly body: PayoutBody }
  | { readonly id: string; readonly orderId: string; readonly kind: 'way'; readonly body: WayBody };

/** A group of events at work. */
interface Group {
  readonly tx: Tx;
  readonly batch: Batch;
  readonly judge: (payin: PayinBody) => Judgement;
  /** Payments that orders count as final which are no part of the batch, of the families of those that it is about. */
  readonly heldElsewhere: () => Promise<ReadonlySet<string>>;
}

type Verdict = Context['screening'];

/** Why events are left. */
const ALTERED = 'the order’s row was changed: it is not what it was kept as';
const UNHELD = 'no order has the payment that was taken back';

/**
 * Applies a group of events, oldest first, in one transaction. Throws where the ledger refuses; the caller halves the
 * group then. Left are a final payment that waits for its screening, and one taken back that no order has yet.
 */
export async function applyEvents(tx: Tx, events: readonly OwnedEvent[], sender: Sender): Promise<Left | undefined> {
  const told = events.map(paymentsEvent);
  const orders = await lockWithFamilies(tx, told);
  await addSources(tx, told.flatMap(sourcesOf));
  const judge = await judgePayments(tx, paidFor(told, orders));
  const batch = new Batch(new UnitOfWork(tx), new DeskState(tx.now), sender, orders);
  const group = { tx, batch, judge, heldElsewhere: paymentsElsewhere(tx, batch, told) };
  const leave = new Map<string, string>();
  /** Orders that an event was left of: what comes after it waits with it. */
  const left = new Map<string, string>();
  for (const event of told) {
    if (!batch.has(event.orderId))
      throw new Error(`The event ${event.id} is about an order that does not exist: ${event.orderId}`);
    const { verdict, why = '' } = event.kind === 'payin' ? judge(event.body) : ({ verdict: 'clean' } as const);
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
  tellAltered(order);
  return ALTERED;
}

/**
 * Locks the orders that events are about, and with money that is taken back or comes back all that came of them. A new
 * order may come of an unallocated payment until that is locked, so what is found then is locked too: its id is later than theirs.
 */
async function lockWithFamilies(tx: Tx, told: readonly PaymentsEvent[]): Promise<StoredOrder[]> {
  const ids = told.map(({ orderId }) => orderId);
  const roots = told.filter(isAboutFamily).map(({ orderId }) => orderId);
  const known = new Set([...ids, ...(roots.length > 0 ? await familyIds(tx, roots) : [])]);
  const orders = await lockOrders(tx, [...known]);
  const family = roots.length > 0 ? await familyIds(tx, roots) : [];
  const born = family.filter((id) => !known.has(id));
  if (born.length > 0) orders.push(...(await lockOrders(tx, born)));
  return orders;
}

/** The payments among events, each with whose order it is for. */
function paidFor(told: readonly PaymentsEvent[], orders: readonly StoredOrder[]): PaidFor[] {
  const emails = new Map(orders.map(({ view, email }) => [view.id, email]));
  return told.flatMap(({ kind, orderId: id, body }): PaidFor[] => {
    if (kind !== 'payin') return [];
    const email = emails.get(id);
    return [{ body, toldTo: id, by: email === undefined ? undefined : { owner: { kind: 'order', id }, email } }];
  });
}

function paymentsEvent({ id, kind, ownerId: orderId, body }: OwnedEvent): PaymentsEvent {
  if (kind === WAY_EVENT) return { id, orderId, kind: 'way', body: body as WayBody };
  return kind === PAYIN_EVENT
    ? { id, orderId, kind: 'payin', body: body as PayinBody }
    : { id, orderId, kind: 'payout', body: body as PayoutBody };
}

/** Where a payment that was just seen came from: customers who share a source share limits. */
function sourcesOf({ orderId: id, kind, body }: PaymentsEvent): { owner: Owner; source: string }[] {
  if (kind !== 'payin' || (body.event !== 'seen' && body.event !== 'final')) return [];
  return body.from.map((address) => ({ owner: { kind: 'order', id }, source: `${body.currency}:${address}` }));
}

/** A payment that is taken back, or comes back, may have become several orders' money. */
const isAboutFamily = ({ kind, body }: PaymentsEvent): boolean =>
  kind === 'payin' && (body.event === 'reversed' || 'again' in body);

/** Whether a payment was taken back that no order has. Such money can't be forgotten: the event waits until one has it. */
const isUnheld = (group: Group, { kind, body }: PaymentsEvent): boolean =>
  kind === 'payin' && body.event === 'reversed' && holdersOf(group, body.payinId, 'final').length === 0;

// --- pay-ins

async function applyPayin(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { batch } = group;
  const rail = { who: 'R', body: { txid: body.txid } };
  if (body.foreign) return applyForeign(group, id, body, verdict);
  switch (body.event) {
    case 'seen':
      if (holdersOf(group, body.payinId, 'reversed').length > 0) return;
      await beforeObservedPayment(group, id, body);
      return need(batch, id, { type: 'payin_seen', payment: paymentOf(body, 'seen') }, rail);
    case 'progress':
      return noteProgress(batch, id, body);
    case 'dropped': {
      const seen = batch.order(id).view.payments.some((one) => one.id === body.payinId && one.standing === 'seen');
      return seen ? need(batch, id, { type: 'payin_dropped', payment: body.payinId }, rail) : undefined;
    }
    case 'final':
      return applyFinal(group, id, body, verdict);
    case 'reversed':
      return takeBackEverywhere(group, body);
  }
}

/**
 * Taken back from every order that has some of the payment; where only a part was taken back, first from what came of it
 * last: an unallocated payment's money is still with us.
 */
async function takeBackEverywhere(group: Group, body: PayinBody): Promise<void> {
  const { tx, batch } = group;
  for (const holder of portions(holdersOf(group, body.payinId, 'final'), body)) {
    const isStopped = await stopSending(tx, batch, holder.id);
    const event = {
      ...({ type: 'payin_reversed', payment: body.payinId, parts: holder.parts } as const),
      ...(isStopped && { stopped: true as const }),
    };
    await need(batch, holder.id, event, { who: 'R', body: { txid: body.txid } });
  }
}

/** What each holder has of what is told: all that they have, or from the last of them on as much as it is about. */
function portions(holders: readonly Holder[], { part }: PayinBody): readonly Holder[] {
  if (part === undefined) return holders;
  let left = BigInt(part);
  return holders.toReversed().flatMap(({ id, parts }) => {
    const taken = parts < left ? parts : left;
    left -= taken;
    return taken > 0n ? [{ id, parts: taken }] : [];
  });
}

/** Timers that were due before a payment was made go first: what came after the lock's end doesn't keep the rate. */
async function beforeObservedPayment({ tx, batch }: Group, id: string, body: PayinBody): Promise<void> {
  const { view } = batch.order(id);
  const { state, facts } = view;
  const late = !isInLock(view, paymentOf(body, 'seen'));
  if (!late || facts.late || (state !== 'awaiting' && state !== 'choosing')) return;
  await batch.readDesk();
  await fireTimers(tx, batch, id);
}

/** Gives a payment that is back after all to those it was taken from; false where there is nobody. */
async function giveBack(group: Group, body: PayinBody, verdict: Verdict): Promise<boolean> {
  const holders = holdersOf(group, body.payinId, 'reversed');
  for (const { id, parts } of portions(holders, body)) {
    const event = { type: 'dispute_won', payment: body.payinId, parts } as const;
    await need(group.batch, id, event, { who: 'R', body: { txid: body.txid } }, { screening: verdict });
  }
  return holders.length > 0;
}

/** Whether an order, or what came of it, has a payment already: then it is told once more, which payments never does. */
async function isCounted(group: Group, id: string, payin: string): Promise<boolean> {
  if (holdersOf(group, payin, 'final').length > 0) return true;
  if (group.batch.order(id).view.payments.some((one) => one.id === payin && one.standing === 'seen')) return false;
  return (await group.heldElsewhere()).has(payin);
}

/**
 * Payments that what came of these orders counts as final, where that is no part of the batch: read once for the whole group,
 * when it is first asked about. What is no part of the batch the batch doesn't change.
 */
function paymentsElsewhere(tx: Tx, batch: Batch, told: readonly PaymentsEvent[]): () => Promise<ReadonlySet<string>> {
  const asked = told.flatMap(({ kind, orderId, body }) => (kind === 'payin' && body.event === 'final' ? [orderId] : []));
  const read = async (): Promise<ReadonlySet<string>> => {
    const others = (await familyIds(tx, [...new Set(asked)])).filter((other) => !batch.has(other));
    const family = await readOrders(tx, others);
    return new Set(family.flatMap(({ view }) => view.payments.flatMap(({ id, standing }) => (standing === 'final' ? [id] : []))));
  };
  let reading: Promise<ReadonlySet<string>> | undefined;
  return () => (reading ??= read());
}

async function applyFinal(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { batch, judge } = group;
  const rail = { who: 'R', body: { txid: body.txid }, ...(judge(body).isStranger && { why: STRANGER }) };
  if ((await giveBack(group, body, verdict)) || body.part !== undefined || (await isCounted(group, id, body.payinId))) return;
  const { view } = batch.order(id);
  const payment = paymentOf(body, 'final');
  if (verdict !== 'clean' && isUnneeded(view, payment)) {
    // A flagged payment that the order does not need is a held unallocated payment of its own.
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

/** Custody → unallocated: the money never was the order's. */
function unallocatedLegs({ id, give }: OrderView, payment: Payment): Leg[] {
  return [
    {
      from: accounts.custody(give.currency, payment.place, give.unit),
      to: accounts.unallocated(id, give.unit),
      parts: payment.parts,
    },
  ];
}

/** Another currency than the address was for: an unallocated payment in that currency once it is final; until then nothing of ours. */
async function applyForeign(group: Group, id: string, body: PayinBody, verdict: Verdict): Promise<void> {
  const { tx, batch } = group;
  if (body.event === 'reversed') return takeBackEverywhere(group, body);
  if (body.event !== 'final' || (await giveBack(group, body, verdict)) || (await isCounted(group, id, body.payinId))) return;
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

/** An order that has some of a payment, and how much. */
type Holder = { readonly id: string; readonly parts: bigint };

/** Which orders of the batch, those that it has made among them, have a payment in this standing, and how much of it. */
const holdersOf = ({ batch }: Group, payin: string, standing: Payment['standing']): Holder[] =>
  batch
    .withPayment(payin)
    .flatMap(({ view }) =>
      view.payments.filter((one) => one.id === payin && one.standing === standing).map(({ parts }) => ({ id: view.id, parts })),
    );

function noteProgress(batch: Batch, id: string, body: PayinBody): void {
  const { view } = batch.order(id);
  if (!view.payments.some((one) => one.id === body.payinId && one.standing === 'seen')) return;
  const updated = paymentOf(body, 'seen');
  const params = { confirmations: String(body.confirmations), needed: String(body.needed), txid: body.txid };
  const change = (order: OrderView): OrderView => ({
    ...order,
    payments: order.payments.map((one) => (one.id === body.payinId && one.standing === 'seen' ? updated : one)),
  });
  batch.note(id, 'progress', change, { who: 'R', body: params });
}

/** How it is paid at its provider is ready, or what became of a voucher that was entered: facts beside the state. */
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
