// Applies final payments, and payments that their rail took back. The exchange decides about the parts that payers have, and the
// invoice about the rest.

import { type UnitOfWork, min, paymentOf } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { restoreForOwner, reverseForOwner } from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import { type PayinBody, currencyOf } from '../../payments/index.ts';
import { type GivenAgain, againOf, givenAgain, takenOf } from '../reversals/given-back.ts';
import { type HandedOver, ownOf } from '../invoices/invoice.ts';
import { settleAgain } from '../reversals/settled-again.ts';
import { type Reported, arrive, find, isCounted } from '../invoices/steps.ts';
import { comeBack, reverse } from '../reversals/taken-back.ts';
import type { InvoiceAddress } from '../rows/address-rows.ts';
import type { InvoiceBatch } from './batch.ts';
import { debtAgain } from './debt-again.ts';
import { dropReceipt, isWithinBoundsOnArrival } from './receipts.ts';

/** An event that is being applied. */
export interface Applying {
  readonly unit: UnitOfWork;
  readonly batch: InvoiceBatch;
  readonly sender: Sender;
  readonly address: InvoiceAddress;
  readonly screening: 'clean' | 'soft' | 'hard';
}

/** Reason for leaving an event in the queue. */
const ALTERED = 'the unallocated payment of a payment to an invoice was changed outside the product';

/** Returns a payment of an event's body as the steps take it. */
export const reportedAs = (status: 'seen' | 'final', { id }: InvoiceAddress, body: PayinBody): Reported => ({
  ...{ payment: paymentOf(body, status), addressId: id, currency: body.currency, unit: body.unit },
});

/**
 * Applies a final payment, or a part of one that came again. Its payer first gets what unallocated payments had given up, which
 * settles what they owe. Returns a reason if the event must wait.
 */
export async function applyFinal(applying: Applying, body: PayinBody): Promise<string | undefined> {
  const { unit, batch, address, screening } = applying;
  const id = address.invoiceId;
  const { view } = batch.invoice(id);
  const known = find(view, body.payinId);
  const isNew = !isCounted(known);
  const part = body.part === undefined ? undefined : BigInt(body.part);
  if (!isNew && (part === undefined || part > (known?.taken ?? 0n))) return undefined;
  const whole = BigInt(body.parts);
  const again = await changeHanded(known?.handedOver, part ?? whole, {
    amountOf: ({ taken }) => taken,
    change: (orderId, parts) => restoreForOwner(applying.unit, applying.sender, { ...about(orderId, body), parts, screening }),
    after: (one, parts) => ({ ...one, taken: one.taken - parts }),
  });
  if (!again) return ALTERED;
  const from = accounts.custody(body.currency, body.place, body.unit);
  if (known?.givenBack?.away) {
    const payment = { ...known, ...reportedAs('final', address, body).payment };
    return giveAgain(applying, body, { payment, from, handedOver: again.handedOver, parts: (part ?? whole) - again.sum });
  }
  if (known?.unsettled && screening === 'clean') {
    const payment = { ...known, ...reportedAs('final', address, body).payment };
    const parts = (part ?? whole) - again.sum;
    const debt = await debtAgain(unit, batch, { invoiceId: id, payment, parts });
    batch.apply(id, settleAgain(view, { payment, from, handedOver: again.handedOver, parts, debt }));
    return undefined;
  }
  if (!isNew) {
    const { now } = applying.unit.tx;
    const hold = screening === 'clean' ? undefined : { cause: screening, since: now, until: now };
    const came = { paymentId: body.payinId, from, handedOver: again.handedOver, parts: (part ?? 0n) - again.sum, hold };
    batch.apply(id, comeBack(view, came));
    return undefined;
  }
  const back = { handedOver: again.handedOver, ...(part !== undefined && { taken: whole - part }) };
  const reported = reportedAs('final', address, body);
  const isBeyond = screening === 'clean' && !(await isWithinBoundsOnArrival(unit.tx, view, reported));
  const arrival = { flag: screening === 'clean' ? undefined : screening, from, back };
  batch.apply(id, arrive(view, reported, arrival, { ...(await batch.context(id, { unit: body.unit })), isBeyond }));
  await dropReceipt(unit.tx, batch.invoice(id).view, body.payinId);
  return undefined;
}

/** Books a payment again that was given back and taken back, and lets its payer have again what they gave up. */
async function giveAgain(
  { unit, batch, sender, address, screening }: Applying,
  body: PayinBody,
  given: GivenAgain,
): Promise<undefined> {
  const { givenBack } = given.payment;
  const { view } = batch.invoice(address.invoiceId);
  batch.apply(view.id, givenAgain(view, given));
  const parts = givenBack ? againOf(givenBack, given.parts) : 0n;
  if (parts === 0n || givenBack?.orderId === undefined) return;
  const done = await restoreForOwner(unit, sender, { ...about(givenBack.orderId, body), parts, screening });
  if (done !== parts) throw new Error(`${done} of ${parts} came again to the unallocated payment ${givenBack.orderId}`);
}

/**
 * Applies a payment that its rail took back, wholly or in part. The unallocated payments that have the payer's part give that part
 * up first. Returns a reason if the event must wait.
 */
export async function applyReversal({ unit, batch, address, sender }: Applying, body: PayinBody): Promise<string | undefined> {
  const id = address.invoiceId;
  const { view } = batch.invoice(id);
  const payment = find(view, body.payinId);
  if (!payment || !isCounted(payment)) return undefined;
  const part = body.part === undefined ? undefined : BigInt(body.part);
  const given = await changeHanded(payment.handedOver, part ?? payment.parts, {
    amountOf: ({ parts, taken }) => parts - taken,
    change: (orderId, parts) => reverseForOwner(unit, sender, { ...about(orderId, body), parts }),
    after: (one, parts) => ({ ...one, taken: one.taken + parts }),
  });
  if (!given) return ALTERED;
  const own = part === undefined ? ownOf(payment) : min(part - given.sum, ownOf(payment));
  const fromPayer = payment.stage === 'given_back' ? takenOf(payment, own) : 0n;
  if (fromPayer > 0n) {
    const { orderId = '' } = payment.givenBack ?? {};
    const done = await reverseForOwner(unit, sender, { ...about(orderId, body), parts: fromPayer });
    if (done === undefined && given.sum === 0n) return ALTERED;
    if (done !== fromPayer) throw new Error(`${done} of ${fromPayer} were taken back by the unallocated payment ${orderId}`);
  }
  const balances = {
    custody: await unit.shown(accounts.custody(body.currency, body.place, body.unit)),
    free: await unit.shown(accounts.deskFree(body.unit)),
    merchant: await unit.shown(accounts.merchant(view.store.id, payment.booked?.unit ?? body.unit)),
  };
  const context = await batch.context(id, { balances });
  const takenBack = {
    ...{ paymentId: body.payinId, rail: currencyOf(body.currency)?.rail ?? 'gone', handedOver: given.handedOver },
    given: fromPayer,
    ...(part !== undefined && { parts: part - given.sum }),
  };
  batch.apply(id, reverse(view, takenBack, context));
  return undefined;
}

const about = (orderId: string, { payinId, txid }: PayinBody) => ({ orderId, payinId, txid });

interface HandedChange {
  /** Amount that one part may give up or get back. */
  readonly amountOf: (one: HandedOver) => bigint;
  /** Changes the unallocated payment. Returns the amount; undefined if it was changed outside the product. */
  readonly change: (orderId: string, parts: bigint) => Promise<bigint | undefined>;
  readonly after: (one: HandedOver, parts: bigint) => HandedOver;
}

/**
 * Changes the parts that a payer has, the latest first, by at most `limit` together. Returns them with the sum; undefined if an
 * unallocated payment was changed outside the product.
 */
async function changeHanded(
  handedOver: readonly HandedOver[] = [],
  limit: bigint,
  { amountOf, change, after }: HandedChange,
): Promise<{ readonly handedOver: readonly HandedOver[]; readonly sum: bigint } | undefined> {
  const changed: HandedOver[] = [];
  let sum = 0n;
  for (const one of handedOver.toReversed()) {
    const due = min(amountOf(one), limit - sum);
    const done = due > 0n ? await change(one.orderId, due) : 0n;
    if (done === undefined && sum === 0n) return undefined;
    if (done !== due) throw new Error(`${done} of ${due} were changed by the unallocated payment ${one.orderId}`);
    sum += due;
    changed.unshift(after(one, due));
  }
  return { handedOver: changed, sum };
}
