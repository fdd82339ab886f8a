// Cuts what a payment was credited with, when its rail takes a part of it back. Pure.
//
// The part that is turned round is rounded so that no more goes out than came in: the store gives back a share that is rounded up,
// and the credit that is left is rounded down.

import type { Component } from '@kurs/money';
import { min } from '../../collecting/index.ts';
import type { Booked, InvoicePayment } from '../invoices/invoice.ts';

/** Postings of a credited payment to turn round, and what is left of it. */
interface CutCredit {
  readonly gone: Booked | undefined;
  readonly left: Pick<InvoicePayment, 'booked' | 'credit'>;
}

/** Returns the postings of the amount `parts` of a payment, and what is left of its credit. `parts`: taken from what was credited. */
export function cutCredit({ booked, credit, unit }: InvoicePayment, parts: bigint): CutCredit {
  if (!booked || parts === 0n) return { gone: undefined, left: { booked, credit } };
  if (parts >= booked.parts) return { gone: booked, left: { booked: undefined, credit: 0n } };
  const { gone, left } = cutBooked(booked, parts, unit);
  return { gone, left: { booked: left, credit: (credit * left.parts) / booked.parts } };
}

/**
 * Cuts the amount `parts` off what was booked for a payment. Both pieces add up to it exactly: the lines of the price and the rest
 * of the given amount, what it brought, and the desk's fee. `unit`: the payment's.
 */
export function cutBooked(booked: Booked, parts: bigint, unit: string): { readonly gone: Booked; readonly left: Booked } {
  const { components, exchanged, set, fee, provision } = booked;
  const share = (amount: bigint): bigint => (amount * parts) / booked.parts;
  // The coin itself is in `set` if nothing was exchanged.
  const isInKind = exchanged === 0n && booked.unit === unit;
  const base = isInKind ? set : exchanged;
  const lines = components.map(({ amount }) => share(amount));
  const given = min(base, parts - lines.reduce((sum, amount) => sum + amount, 0n));
  let rest = parts - given - lines.reduce((sum, amount) => sum + amount, 0n);
  const taken = lines.map((amount, at) => {
    const more = min(rest, (components[at]?.amount ?? 0n) - amount);
    rest -= more;
    return amount + more;
  });
  const goneSet = isInKind ? given : min(set, (set * parts + booked.parts - 1n) / booked.parts);
  const goneFee = fee === undefined || set === 0n ? fee : (fee * goneSet) / set;
  const withAmounts = (amounts: readonly bigint[]): Component[] =>
    components.map((component, at) => ({ ...component, amount: amounts[at] ?? 0n }));
  const goneProvision = provision === undefined ? undefined : share(provision);
  const common = { unit: booked.unit };
  return {
    gone: {
      ...{ ...common, parts, set: goneSet, fee: goneFee, exchanged: isInKind ? 0n : given },
      components: withAmounts(taken),
      ...(goneProvision !== undefined && { provision: goneProvision }),
    },
    left: {
      ...{ ...common, parts: booked.parts - parts, set: set - goneSet, exchanged: isInKind ? 0n : exchanged - given },
      fee: fee === undefined ? undefined : fee - (goneFee ?? 0n),
      components: withAmounts(components.map(({ amount }, at) => amount - (taken[at] ?? 0n))),
      ...(provision !== undefined && { provision: provision - (goneProvision ?? 0n) }),
    },
  };
}
