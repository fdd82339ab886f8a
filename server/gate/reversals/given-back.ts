// A payment that was given back to its payer, and that its rail then takes back, or that comes again after that. Pure.
//
// The exchange gives up what the payer has, into `invoice:in`, or takes it from there again. What the payer owes by then stays with
// the exchange. These steps turn round the rest: the desk's part of the giving back, and the conversion.

import { conversion, conversionBack, move } from '../../collecting/index.ts';
import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import { cutCredit } from './cut-booked.ts';
import { isConverted } from '../invoices/decide.ts';
import { Draft, type InvoiceStep } from '../invoices/draft.ts';
import type { Booked, GivenBack, HandedOver, Invoice, InvoicePayment } from '../invoices/invoice.ts';

/** Returns what the payer gives up of a given-back payment of which `parts` are taken back; the share is rounded up. */
export function takenOf({ booked, givenBack }: InvoicePayment, parts: bigint): bigint {
  if (!booked || !givenBack || parts === 0n) return 0n;
  const left = givenBack.parts - givenBack.taken;
  return parts >= booked.parts ? left : (left * parts + booked.parts - 1n) / booked.parts;
}

/** Returns what the payer gets again of a given-back payment of which `parts` come again; the share is rounded down. */
export function againOf({ away, taken }: GivenBack, parts: bigint): bigint {
  if (!away || parts === 0n) return 0n;
  return parts >= away.parts ? taken : (taken * parts) / away.parts;
}

/** Returns the legs that turn a given-back payment's conversion round. `given`: amount that the payer gave up into `invoice:in`. */
export function givenBackLegs(
  { id }: Pick<Invoice, 'id'>,
  payment: InvoicePayment,
  { booked, given, free }: { readonly booked: Booked; readonly given: bigint; readonly free: bigint },
): Leg[] {
  const account = accounts.invoiceIn(id, payment.unit);
  const { components, exchanged, provision = 0n } = booked;
  const back = isConverted(payment, booked) ? given : 0n;
  // Both halves of the giving back and the conversion move the same amount of `invoice:set`, so none of it moves here.
  return [
    ...move(account, accounts.deskFree(payment.unit), back),
    ...conversionBack(
      { given: account, got: account },
      { components, exchanged, got: 0n, provision },
      { free: free + back, left: 0n },
    ),
  ];
}

/** Returns a given-back payment after `gone` was turned round, and the payer gave up `given`. */
export function afterTaken(
  { givenBack }: InvoicePayment,
  { gone, given }: { readonly gone: Booked; readonly given: bigint },
): Pick<InvoicePayment, 'givenBack'> {
  if (!givenBack) return {};
  return { givenBack: { ...givenBack, taken: givenBack.taken + given, away: joinBooked(givenBack.away, gone) } };
}

/** A given-back payment that comes again, or a part of it. */
export interface GivenAgain {
  /** The payment with the new data of its rail. */
  readonly payment: InvoicePayment;
  readonly from: AccountRef;
  /** Parts of it that its payer has as excess, after the exchange got back what it had given up. */
  readonly handedOver: readonly HandedOver[] | undefined;
  /** Amount that comes to the invoice, in parts. */
  readonly parts: bigint;
}

/** Books a given-back payment again that comes again. The exchange then takes `againOf` from `invoice:in`. */
export function givenAgain(invoice: Invoice, { payment, from, handedOver, parts }: GivenAgain): InvoiceStep | undefined {
  const { givenBack, unit } = payment;
  if (!givenBack?.away) return undefined;
  const draft = new Draft(invoice, 'arrive');
  const account = accounts.invoiceIn(invoice.id, unit);
  const { gone: again, left } = cutCredit({ ...payment, booked: givenBack.away, credit: 0n }, parts);
  const given = againOf(givenBack, parts);
  draft.post('invoice_payin', move(from, account, parts));
  if (again) draft.post('invoice_converted', rebooked(payment, again, account, given));
  const booked = again ? joinBooked(payment.booked, again) : payment.booked;
  const away = left.booked ?? { ...givenBack.away, parts: 0n, set: 0n, exchanged: 0n, components: [] };
  const had = (handedOver ?? []).reduce((sum, one) => sum + one.parts - one.taken, 0n);
  // A part that was away already when the payment was given back belongs to the payer.
  const over = payment.over + parts - (again?.parts ?? 0n);
  draft.payment({
    ...payment,
    ...{ stage: 'given_back', status: 'final', handedOver, booked, over },
    givenBack: { ...givenBack, taken: givenBack.taken - given, away },
    taken: payment.parts - (booked?.parts ?? 0n) - over - had,
  });
  draft.tell('payment_final', payment.id);
  return draft.step;
}

/** Returns the legs that book a conversion again. What the payer gets comes from the desk's free money, if it was converted. */
function rebooked(
  payment: InvoicePayment,
  { components, exchanged, ...booked }: Booked,
  account: AccountRef,
  given: bigint,
): Leg[] {
  const converted = isConverted(payment, { components, exchanged, ...booked });
  return [
    ...conversion(
      { given: account, promised: account, got: account },
      { components, exchanged, got: 0n, provision: booked.provision ?? 0n },
    ),
    ...move(accounts.deskFree(payment.unit), account, converted ? given : 0n),
  ];
}

/** Adds two pieces of one booking. */
export function joinBooked(one: Booked | undefined, other: Booked): Booked {
  if (!one || one.parts === 0n) return other;
  return {
    ...other,
    ...{ parts: one.parts + other.parts, set: one.set + other.set, exchanged: one.exchanged + other.exchanged },
    fee: other.fee === undefined ? undefined : (one.fee ?? 0n) + other.fee,
    ...(other.provision !== undefined && { provision: (one.provision ?? 0n) + other.provision }),
    components: other.components.map((line, at) => ({ ...line, amount: line.amount + (one.components[at]?.amount ?? 0n) })),
  };
}
