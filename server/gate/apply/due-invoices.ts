// Does what happens to invoices by time: the end of an invoice's time, of a payment's window or hold, the decision of a store's
// preset, and a price or the coin for a payment that waits for one.

import { type UnitOfWork, alone, awaitedAmong } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { pollsBehind } from '../../payments/index.ts';
import { type Db, type Tx, alarmOnce, log } from '../../platform/index.ts';
import { mailPaid, mailShort, mailUndecided } from '../letters.ts';
import { decideByPreset, isReturning, isUndecided, returnCoins } from '../invoices/decide.ts';
import { type Invoice, isUnfinished } from '../invoices/invoice.ts';
import { holdOver } from '../invoices/held.ts';
import { miss, price, timeOver, waitsForPrice } from '../invoices/steps.ts';
import { nextStepAt } from '../invoices/timers.ts';
import { addressesOf } from '../rows/address-rows.ts';
import { reportAltered } from '../rows/invoice-mac.ts';
import { isAnyDue, lockDue, lockInvoices, putOff } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { SUBSCRIBER } from './apply-events.ts';
import { InvoiceBatch } from './batch.ts';
import { handOver } from './hand-over.ts';

const GROUP = 256;
const PUT_OFF_MS = 60_000;
/** Time in ms after which an alarm reports a payment that can't be given back. */
const RETURN_ALARM_MS = 3_600_000;
/** Time in ms by which a timer is postponed while an event is on its way, or a poll is missing. */
const WAIT_MS = 2_000;

/**
 * Fires the due timers of up to 256 invoices and returns their number. If that fails for all together, each is done alone; one
 * that fails again is postponed, with an alarm.
 */
export async function dueInvoices(db: Db, sender: Sender): Promise<number> {
  if (!(await isAnyDue(db))) return 0;
  let ids: string[] = [];
  try {
    await alone(db, async (unit) => {
      const invoices = await lockDue(unit.tx, GROUP);
      ids = invoices.map(({ view }) => view.id);
      await fire(unit, invoices, sender);
    });
  } catch (error) {
    if (ids.length === 0) throw error;
    for (const id of ids) await fireAlone(db, id, sender);
  }
  return ids.length;
}

async function fireAlone(db: Db, id: string, sender: Sender): Promise<void> {
  try {
    await alone(db, async (unit) => fire(unit, await lockInvoices(unit.tx, [id]), sender));
  } catch (error) {
    log.alarm('a timer of an invoice failed', { invoiceId: id, error });
    await putOff(db, [id], new Date((await db.now()).getTime() + PUT_OFF_MS));
  }
}

async function fire(unit: UnitOfWork, found: readonly StoredInvoice[], sender: Sender): Promise<void> {
  const { tx } = unit;
  const altered = found.filter(({ isAltered }) => isAltered);
  for (const invoice of altered) reportAltered(invoice);
  await postpone(tx, altered, PUT_OFF_MS);
  const known = await withoutAwaited(
    tx,
    found.filter(({ isAltered }) => !isAltered),
  );
  if (known.length === 0) return;
  const batch = new InvoiceBatch(unit, known);
  for (const stored of known) await fireOne(batch, stored.view.id, tx.now);
  for (const stored of known) reportReturning(batch.invoice(stored.view.id), tx.now);
  await handOver(unit, sender, batch);
  await batch.save();
  await mailPaid(tx, sender, batch.settled());
  await mailShort(tx, sender, batch.short());
  await mailUndecided(tx, sender, batch.undecided());
}

const reportWaiting = alarmOnce('a payment to an invoice could not be given back for an hour: there is no price, or no coin');

/** Raises an alarm about an invoice one of whose payments could not be given back for an hour. */
function reportReturning({ view, number }: StoredInvoice, now: Date): void {
  const since = now.getTime() - RETURN_ALARM_MS;
  const late = view.payments.find(
    ({ stage, returningSince }) => stage === 'returning' && (returningSince?.getTime() ?? 0) <= since,
  );
  if (late) reportWaiting(late.id, { invoiceId: view.id, invoiceNumber: number, currency: late.currency });
}

async function fireOne(batch: InvoiceBatch, id: string, now: Date): Promise<void> {
  const view = (): Invoice => batch.invoice(id).view;
  const steps = [
    () => miss(view(), now),
    () => holdOver(view(), now),
    async () => (waitsForPrice(view()) ? price(view(), await batch.context(id)) : undefined),
    () => timeOver(view(), now),
    async () => (isUndecided(view(), now) ? decideByPreset(view(), await batch.returnContext(id)) : undefined),
    async () => (isReturning(view()) ? returnCoins(view(), await batch.returnContext(id)) : undefined),
    // Payments that still wait for a price when the invoice ends belong to their payers.
    async () => (isUnfinished(view()) || !waitsForPrice(view()) ? undefined : price(view(), await batch.context(id))),
  ];
  for (const step of steps) batch.apply(id, await step());
  // Schedules the next timer by the rules of now, even if nothing changed.
  batch.revise(id, batch.invoice(id));
}

/**
 * Postpones invoices whose timer would conclude too early that nothing came or that a payment was not confirmed: an event is on
 * its way, or polls of a place have not reached that moment. After an outage an invoice waits for the first poll, up to a maximum
 * in its terms. Returns the others.
 */
async function withoutAwaited(tx: Tx, invoices: readonly StoredInvoice[]): Promise<StoredInvoice[]> {
  const byId = new Map(invoices.map((invoice) => [invoice.view.id, invoice]));
  const places = await addressesOf(tx, [...byId.keys()]);
  const behind = await pollsBehind(
    tx,
    places.flatMap(({ id, invoiceId }) => {
      const since = sinceOf(byId.get(invoiceId)?.view, tx.now);
      return since ? [{ owner: { kind: 'invoice', id }, since }] : [];
    }),
  );
  const awaited = await awaitedAmong(
    tx,
    { kind: 'invoice', subscriber: SUBSCRIBER },
    places.map(({ id }) => id),
  );
  const waiting = new Set(
    places.flatMap(({ id, invoiceId }) => {
      const view = byId.get(invoiceId)?.view;
      const since = sinceOf(view, tx.now);
      const isUnpolled = behind.get(id) === 'unlooked' && since !== undefined && isWithinOutage(view, since, tx.now);
      const isMissing = behind.get(id) === 'missing' && view?.payments.some(({ stage }) => stage === 'seen');
      return awaited.has(id) || isUnpolled || isMissing ? [invoiceId] : [];
    }),
  );
  const [stay, go] = [invoices.filter(({ view }) => waiting.has(view.id)), invoices.filter(({ view }) => !waiting.has(view.id))];
  await postpone(tx, stay, WAIT_MS);
  return go;
}

const isWithinOutage = (view: Invoice | undefined, since: Date, now: Date): boolean =>
  view !== undefined && now.getTime() - since.getTime() <= view.terms.outageWithin;

/** Returns the moment that polls must have reached: that of the invoice's due timer. */
function sinceOf(view: Invoice | undefined, now: Date): Date | undefined {
  const due = view && nextStepAt(view, now);
  return due && due <= now ? due : undefined;
}

const postpone = (tx: Tx, invoices: readonly StoredInvoice[], ms: number): Promise<void> =>
  putOff(
    tx,
    invoices.map(({ view }) => view.id),
    new Date(tx.now.getTime() + ms),
  );
