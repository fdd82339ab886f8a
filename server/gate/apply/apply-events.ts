// Applies the events that the payments room publishes about places of invoices. Many events share one lock and one posting.

import { type OwnedEvent, UnitOfWork, checkPayments, paymentOf } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { PAYIN_EVENT, type PayinBody, WAY_EVENT, type WayBody, currencyOf } from '../../payments/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import type { Left, Tx } from '../../platform/index.ts';
import { answerOption, arrive, drop, reverse, see } from '../invoices/steps.ts';
import { type InvoiceAddress, addressesById, notePaid } from '../rows/address-rows.ts';
import { reportAltered } from '../rows/invoice-mac.ts';
import { lockInvoices } from '../rows/invoice-rows.ts';
import { mailPaid } from '../letters.ts';
import { InvoiceBatch } from './batch.ts';

/** The room's name as a subscriber. */
export const SUBSCRIBER = 'invoices';

/** Reasons for leaving an event in the queue. */
const ALTERED = 'the invoice’s row was changed outside the product';
const MOVED = 'the place of an invoice was changed outside the product';
const IN_PART = 'a part of a payment to an invoice was taken back: people must decide';

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
  const unit = new UnitOfWork(tx);
  const batch = new InvoiceBatch(unit, invoices);
  const leave = new Map<string, string>();
  /** Reasons by invoice: its later events wait with the first that is left. */
  const left = new Map<string, string>();
  const wait = (id: string, event: OwnedEvent, why: string): void => {
    left.set(id, why);
    leave.set(event.id, why);
  };
  for (const { event, address } of found) {
    const id = address.invoiceId;
    const stored = batch.invoice(id);
    if (stored.isAltered) reportAltered(stored);
    const verdict = event.kind === PAYIN_EVENT ? check(event.body as PayinBody) : undefined;
    const why =
      left.get(id) ?? (stored.isAltered ? ALTERED : undefined) ?? (address.isAltered ? MOVED : undefined) ?? stopOf(event);
    if (why !== undefined) wait(id, event, why);
    else if (verdict?.verdict === 'waits') wait(id, event, verdict.why ?? '');
    else if (event.kind === WAY_EVENT) noteWay(batch, address, event.body as WayBody);
    else
      await applyPayin(
        { unit, batch, address, isFlagged: verdict !== undefined && verdict.verdict !== 'clean' },
        event.body as PayinBody,
      );
  }
  await notePaid(tx, [...new Set(paid.map(({ ownerId }) => ownerId))]);
  await batch.save();
  await mailPaid(tx, sender, batch.settled());
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

const stopOf = ({ kind, body }: OwnedEvent): string | undefined =>
  kind === PAYIN_EVENT && (body as PayinBody).part !== undefined ? IN_PART : undefined;

interface Applying {
  readonly unit: UnitOfWork;
  readonly batch: InvoiceBatch;
  readonly address: InvoiceAddress;
  readonly isFlagged: boolean;
}

async function applyPayin({ unit, batch, address, isFlagged }: Applying, body: PayinBody): Promise<void> {
  const id = address.invoiceId;
  const { view } = batch.invoice(id);
  const { event, currency, place } = body;
  const custody = accounts.custody(currency, place, body.unit);
  const reported = (status: 'seen' | 'final') => ({
    ...{ payment: paymentOf(body, status), addressId: address.id, currency, unit: body.unit },
  });
  if (event === 'dropped') batch.apply(id, drop(view, body.payinId));
  else if (event === 'reversed') await applyReversal({ unit, batch, address, isFlagged }, body);
  else if (event === 'final') {
    const context = await batch.context(id);
    batch.apply(id, arrive(view, reported('final'), { isFlagged, from: custody }, context));
  } else batch.apply(id, see(view, reported('seen'), await batch.context(id)));
}

async function applyReversal({ unit, batch, address }: Applying, body: PayinBody): Promise<void> {
  const id = address.invoiceId;
  const { view } = batch.invoice(id);
  const payment = view.payments.find((one) => one.id === body.payinId);
  const settled = payment?.booked?.unit ?? body.unit;
  const context = await batch.context(id, {
    custody: await unit.shown(accounts.custody(body.currency, body.place, body.unit)),
    free: await unit.shown(accounts.deskFree(body.unit)),
    merchant: await unit.shown(accounts.merchant(view.store.id, settled)),
  });
  batch.apply(id, reverse(view, { paymentId: body.payinId, rail: currencyOf(body.currency)?.rail ?? 'gone' }, context));
}

/** Stores how the option is paid at its payment system, or that the system refused it. */
function noteWay(batch: InvoiceBatch, { id: addressId, invoiceId }: InvoiceAddress, { event, way }: WayBody): void {
  const answer = event === 'ready' ? way : event === 'refused' ? ('refused' as const) : undefined;
  if (answer !== undefined) batch.apply(invoiceId, answerOption(batch.invoice(invoiceId).view, addressId, answer));
}
