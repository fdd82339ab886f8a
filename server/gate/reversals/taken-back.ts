// Payments that their rail took back, wholly or in part, and parts of them that come again. Pure.
//
// The exchange gives up the payer's part first (`apply-final.ts`). These steps turn the postings of the invoice's own part
// round, the last first.

import { conversionBack, min, move, takenBack } from '../../collecting/index.ts';
import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import { Draft, type InvoiceStep, type StepContext } from '../invoices/draft.ts';
import {
  type Booked,
  type HandedOver,
  type Invoice,
  type InvoicePayment,
  type PaymentHold,
  creditedOf,
  isUnfinished,
  neededOf,
  ownOf,
} from '../invoices/invoice.ts';
import { cutCredit } from './cut-booked.ts';
import { afterTaken, givenBackLegs } from './given-back.ts';
import { afterUnsettled } from './settled-again.ts';
import { debtAccount } from '../stores/debtor.ts';
import { find, isCounted } from '../invoices/steps.ts';

/** A payment that its rail took back. */
export interface TakenBack {
  readonly paymentId: string;
  readonly rail: string;
  /** The parts that its payer has, after the exchange gave up what it had to. */
  readonly handedOver: readonly HandedOver[];
  /** Amount that the invoice itself gives up, in parts; undefined for all that it has. */
  readonly parts?: bigint | undefined;
  /** Amount that the payer of a given-back payment gave up into `invoice:in`, in parts. */
  readonly given?: bigint;
}

/**
 * Applies a final payment that its rail took back, wholly or in part. Undefined if the invoice does not have the payment as
 * final.
 */
export function reverse(invoice: Invoice, takenAway: TakenBack, context: StepContext): InvoiceStep | undefined {
  const { paymentId, handedOver, given: fromPayer = 0n } = takenAway;
  const payment = find(invoice, paymentId);
  const { balances } = context;
  if (!payment || !balances || payment.status !== 'final' || !isCounted(payment)) return undefined;
  const own = ownOf(payment);
  const parts = min(takenAway.parts ?? own, own);
  const fromOver = min(payment.over, parts);
  const { gone, left } = cutCredit(payment, parts - fromOver);
  const draft = new Draft(invoice, 'reverse');
  const isGiven = payment.stage === 'given_back';
  if (gone && isGiven)
    draft.post('invoice_reversed', givenBackLegs(invoice, payment, { booked: gone, given: fromPayer, free: balances.free }));
  else if (gone) draft.post('invoice_reversed', bookedBack(invoice, payment, gone, balances));
  const place = accounts.custody(payment.currency, payment.place, payment.unit);
  const given = accounts.invoiceIn(invoice.id, payment.unit);
  draft.post('invoice_reversed', takenBack([[given, parts]], { place, rail: takenAway.rail, held: balances.custody }));
  const isWhole = parts === own && handedOver.every((one) => one.parts === one.taken);
  const away = payment.parts - (own - parts) - handedOver.reduce((sum, one) => sum + one.parts - one.taken, 0n);
  const after = gone && isGiven ? afterTaken(payment, { gone, given: fromPayer }) : afterUnsettled(payment, { gone, left });
  const reserved = reserveAfter(payment, gone);
  if (isWhole) draft.payment({ ...asReversed(payment, handedOver), ...after, ...reserved });
  else {
    const pending = own === 0n ? 0n : (payment.pending * (own - parts)) / own;
    const rest = { pending, handedOver, taken: away, over: payment.over - fromOver };
    draft.payment({ ...payment, ...left, ...after, ...reserved, ...rest });
  }
  draft.tell('payment_reversed', paymentId);
  decideReversed(draft);
  return draft.step;
}

/** Returns a payment of which nothing is left. */
const asReversed = (payment: InvoicePayment, handedOver: readonly HandedOver[]): InvoicePayment => ({
  ...payment,
  ...{ stage: 'reversed', status: 'reversed', pending: 0n, credit: 0n, over: 0n },
  ...{ booked: undefined, hold: undefined, hasLowerRate: undefined, taken: undefined, returningSince: undefined, handedOver },
});

/** A part of a final payment that came again. */
export interface PartBack {
  readonly paymentId: string;
  readonly from: AccountRef;
  /** The parts that its payer has, after the exchange got back what it had given up. */
  readonly handedOver: readonly HandedOver[];
  /** Amount that comes to the invoice, in parts. */
  readonly parts: bigint;
  /** Hold of a part that was flagged: the payer's money is handed over as held. */
  readonly hold?: PaymentHold | undefined;
}

/**
 * Applies a part of a payment that came again while the rest of it was never taken back. The part belongs to the payer, unless the
 * whole payment is held. Undefined if the invoice does not have the payment as final.
 */
export function comeBack(invoice: Invoice, { paymentId, from, handedOver, parts, hold }: PartBack): InvoiceStep | undefined {
  const payment = find(invoice, paymentId);
  if (!payment || payment.status !== 'final' || !isCounted(payment)) return undefined;
  const draft = new Draft(invoice, 'arrive');
  draft.post('invoice_payin', move(from, accounts.invoiceIn(invoice.id, payment.unit), parts));
  const had = handedOver.reduce((sum, one) => sum + one.parts - one.taken, 0n);
  const over = payment.stage === 'held' || payment.stage === 'waiting' ? 0n : parts;
  const held = hold && payment.stage !== 'held' ? { hold } : {};
  draft.payment({
    ...payment,
    ...held,
    handedOver,
    taken: payment.parts - ownOf(payment) - parts - had,
    over: payment.over + over,
  });
  draft.tell('payment_final', paymentId);
  return draft.step;
}

/** Decides an invoice's state after a reversal. */
function decideReversed(draft: Draft): void {
  const { invoice } = draft;
  if (isUnfinished(invoice)) return draft.decide();
  const needed = neededOf(invoice) ?? 0n;
  if (invoice.state === 'settled' && creditedOf(invoice) < needed) draft.moveTo('invalid');
  else draft.moveTo(invoice.state);
}

/** Returns the part of a settled amount that the payment's own part of the store's reserve gives back. */
const fromReserveOf = ({ inReserve = 0n }: InvoicePayment, { set, fee }: Booked): bigint =>
  fee === undefined ? 0n : min(inReserve, set - fee);

/** Returns what is left of a payment in the store's reserve after `gone` was turned round. */
const reserveAfter = (payment: InvoicePayment, gone: Booked | undefined): Pick<InvoicePayment, 'inReserve'> =>
  payment.inReserve === undefined || !gone ? {} : { inReserve: payment.inReserve - fromReserveOf(payment, gone) };

/** Returns the legs that turn the conversion of a payment round, after those that turn its settlement round. */
function bookedBack(
  { id, store }: Invoice,
  payment: InvoicePayment,
  booked: Booked,
  { free, merchant }: NonNullable<StepContext['balances']>,
): Leg[] {
  const { unit, set, fee, components, exchanged } = booked;
  const [given, got] = [accounts.invoiceIn(id, payment.unit), accounts.invoiceSet(id, unit)];
  const net = set - (fee ?? 0n);
  const fromReserve = fromReserveOf(payment, booked);
  const fromStore = fee === undefined ? 0n : min(merchant > 0n ? merchant : 0n, net - fromReserve);
  const settled: Leg[] =
    fee === undefined
      ? []
      : [
          ...move(accounts.merchantReserve(store.id, unit), got, fromReserve),
          ...move(accounts.merchant(store.id, unit), got, fromStore),
          ...move(debtAccount(store, unit), got, net - fromReserve - fromStore),
          ...move(accounts.income('gate', unit), got, fee),
        ];
  if (unit === payment.unit && exchanged === 0n) {
    const lines = conversionBack(
      { given, got: given },
      { components, exchanged: 0n, got: 0n, provision: 0n },
      { free, left: 0n },
    );
    return [...settled, ...move(got, given, set), ...lines];
  }
  const price = { components, exchanged, got: set, provision: booked.provision ?? 0n };
  return [...settled, ...conversionBack({ given, got }, price, { free, left: set })];
}
