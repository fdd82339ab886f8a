// Applies the events that the payments room publishes about places of invoices. Many events share one lock and one posting.

import { type OwnedEvent, UnitOfWork, checkPayments } from '../../collecting/index.ts';
import { PAYIN_DEEP_EVENT, PAYIN_EVENT, type PayinBody, WAY_EVENT, type WayBody } from '../../payments/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { sendDeep } from '../../exchange/index.ts';
import type { Left, Tx } from '../../platform/index.ts';
import type { InvoicePayment } from '../invoices/invoice.ts';
import { answerOption, drop, find, see } from '../invoices/steps.ts';
import { mailChangedParts, mailHeld, mailPaid, mailUndecided } from '../letters.ts';
import { deepened } from '../settled/settled.ts';
import { type InvoiceAddress, addressesById, notePaid } from '../rows/address-rows.ts';
import { reportAltered } from '../rows/invoice-mac.ts';
import { lockInvoices } from '../rows/invoice-rows.ts';
import { type Applying, applyFinal, applyReversal, reportedAs } from './apply-final.ts';
import { InvoiceBatch } from './batch.ts';
import { handOver } from './hand-over.ts';
import { dropReceipt, isWithinBoundsOnArrival, lockForReceipts } from './receipts.ts';

/** The room's name as a subscriber. */
export const SUBSCRIBER = 'invoices';

/** Reasons for leaving an event in the queue. */
const ALTERED = 'the invoice’s row was changed outside the product';
const MOVED = 'the place of an invoice was changed outside the product';

interface EventOfInvoice {
  readonly event: OwnedEvent;
  readonly address: InvoiceAddress;
}

/**
 * Applies a group of events, oldest first, in one transaction. Throws if the ledger refuses the posting. Returns the events that
 * stay in the queue, with reasons: final payments that wait for their screening, and events of altered invoices.
 */
export async function applyEvents(tx: Tx, events: readonly OwnedEvent[], sender: Sender): Promise<Left | undefined> {
  const found = await placesOf(tx, events);
  const invoices = await lockInvoices(tx, [...new Set(found.map(({ address }) => address.invoiceId))]);
  const paid = found.flatMap(({ event }) => (event.kind === PAYIN_EVENT ? [event] : []));
  const check = await checkPayments(
    tx,
    paid.map(({ body, ownerId }) => ({ body: body as PayinBody, reportedTo: ownerId })),
  );
  const businessOf = new Map(invoices.map(({ view }) => [view.id, view.store.businessId]));
  await lockForReceipts(
    tx,
    found.map(({ address }) => ({ currency: address.currency, businessId: businessOf.get(address.invoiceId) })),
  );
  const unit = new UnitOfWork(tx);
  const batch = new InvoiceBatch(unit, invoices);
  const leave = new Map<string, string>();
  /** Reasons by invoice: its later events wait with the first that is left. */
  const left = new Map<string, string>();
  const wait = (id: string, event: OwnedEvent, why: string): void => {
    left.set(id, why);
    leave.set(event.id, why);
  };
  /** Unallocated payments whose money has become deep. */
  const deep: string[] = [];
  for (const { event, address } of found) {
    const id = address.invoiceId;
    const stored = batch.invoice(id);
    if (stored.isAltered) reportAltered(stored);
    const verdict = event.kind === PAYIN_EVENT ? check(event.body as PayinBody) : undefined;
    const why = left.get(id) ?? (stored.isAltered ? ALTERED : undefined) ?? (address.isAltered ? MOVED : undefined);
    if (why !== undefined) wait(id, event, why);
    else if (verdict?.verdict === 'waits') wait(id, event, verdict.why ?? '');
    else if (event.kind === PAYIN_DEEP_EVENT) deep.push(...noteDeep(batch, id, event.body as PayinBody));
    else if (event.kind === WAY_EVENT) noteWay(batch, address, event.body as WayBody);
    else {
      const applying = { unit, batch, address, sender, screening: verdict?.verdict ?? 'clean' } as const;
      const stop = await applyPayin(applying, event.body as PayinBody);
      if (stop !== undefined) wait(id, event, stop);
    }
  }
  await notePaid(tx, [...new Set(paid.map(({ ownerId }) => ownerId))]);
  await handOver(unit, sender, batch);
  await sendDeep(tx, deep);
  await batch.save();
  await mailPaid(tx, sender, batch.settled());
  await mailUndecided(tx, sender, batch.undecided());
  await mailHeld(tx, sender, batch.held());
  await mailChangedParts(tx, sender, batch.changedParts());
  await unit.commit();
  return leave.size > 0 ? { leave } : undefined;
}

async function placesOf(tx: Tx, events: readonly OwnedEvent[]): Promise<EventOfInvoice[]> {
  const addresses = await addressesById(tx, [...new Set(events.map(({ ownerId }) => ownerId))]);
  return events.map((event) => {
    const address = addresses.get(event.ownerId);
    if (!address) throw new Error(`The event ${event.id} is about a place of invoices that does not exist: ${event.ownerId}`);
    return { event, address };
  });
}

/** Applies an event about a payment. Returns a reason if the event must wait in the queue. */
async function applyPayin(applying: Applying, body: PayinBody): Promise<string | undefined> {
  const { batch, address } = applying;
  const id = address.invoiceId;
  if (body.event === 'reversed') return applyReversal(applying, body);
  if (body.event === 'final') return applyFinal(applying, body);
  const { view } = batch.invoice(id);
  const { tx } = applying.unit;
  if (body.event === 'dropped') {
    batch.apply(id, drop(view, body.payinId));
    await dropReceipt(tx, batch.invoice(id).view, body.payinId);
    return undefined;
  }
  const reported = reportedAs('seen', address, body);
  // Counts it from now on, so that no more than fits is asked for. The bounds decide about it when it is final.
  await isWithinBoundsOnArrival(tx, view, reported);
  batch.apply(id, see(view, reported, await batch.context(id)));
  return undefined;
}

/**
 * Notes that no reorg that we expect takes a final payment back. Returns the ids of the unallocated payments that have money of
 * the payment.
 */
function noteDeep(batch: InvoiceBatch, id: string, { payinId }: PayinBody): string[] {
  const stored = batch.invoice(id);
  const view = deepened(stored.view, payinId);
  if (view !== stored.view) batch.revise(id, { ...stored, view });
  return ordersOf(find(view, payinId));
}

const ordersOf = ({ handedOver = [], givenBack }: Partial<InvoicePayment> = {}): string[] => [
  ...handedOver.map(({ orderId }) => orderId),
  ...(givenBack?.orderId === undefined ? [] : [givenBack.orderId]),
];

/** Stores how the option is paid at its payment system, or that the system refused it. */
function noteWay(batch: InvoiceBatch, { id: addressId, invoiceId }: InvoiceAddress, { event, way }: WayBody): void {
  const answer = event === 'ready' ? way : event === 'refused' ? ('refused' as const) : undefined;
  if (answer !== undefined) batch.apply(invoiceId, answerOption(batch.invoice(invoiceId).view, addressId, answer));
}
