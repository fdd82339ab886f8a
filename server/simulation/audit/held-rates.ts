// Checks the locked rate of an order after a hold. It uses none of the code that it checks.

import type { OrderView } from '../../exchange/index.ts';
import { Fault, type HeldRate, received } from './invariants.ts';

/** Milliseconds that a hold keeps the locked rate, and those after papers were requested or received. */
export interface HoldTerms {
  readonly hold: number;
  readonly withPapers: number;
}

export class HeldRates {
  readonly #terms: HoldTerms;
  readonly #report: (what: string) => void;
  readonly #rates = new Map<string, HeldRate>();

  /** `report` is called with each kind of release that occurred. */
  constructor(terms: HoldTerms, report: (what: string) => void = () => {}) {
    this.#terms = terms;
    this.#report = report;
  }

  /** Returns the rest of an order's locked rate after a hold; undefined if no release was later than allowed. */
  of({ id }: OrderView): HeldRate | undefined {
    return this.#rates.get(id);
  }

  /**
   * Invariant 10: an order changed from one state to another at a time in milliseconds. Papers free the reserve at once; a hold
   * that ends in time keeps the locked rate.
   */
  follow(before: OrderView | undefined, view: OrderView, now: number): void {
    const hold = before?.facts.hold;
    if (before?.state !== 'holding' || !hold) return;
    if (view.state === 'holding' && view.facts.hold?.papers !== undefined && view.positions.reserve !== 0n)
      throw new Fault(`${view.id} has papers ${view.facts.hold.papers}, and ${view.positions.reserve} set aside for it still`);
    if (!isLetGoOn(before, view)) return;
    const held = now - hold.since.getTime();
    const max = hold.papers === undefined ? this.#terms.hold - 1 : this.#terms.withPapers;
    const papers = hold.papers === undefined ? 'no papers' : `papers ${hold.papers}`;
    this.#report(`held: ${papers}, ${held <= max ? 'in time' : 'late'}`);
    if (held > max) this.#rates.set(view.id, hold.papers === undefined ? 'gone' : 'lower');
    else if (isOwedLocked(before)) mustBeLocked(view);
  }
}

/** True if people released the order, its payments are unchanged, and it is exchanged or its customer decides. */
function isLetGoOn(before: OrderView, view: OrderView): boolean {
  const isRequested = view.state === 'choosing';
  const isExchanged = view.facts.exchange !== undefined && before.facts.exchange === undefined;
  return before.kind === 'order' && (isRequested || isExchanged) && received(before.payments) === received(view.payments);
}

/** The whole requested amount came in time, and its promise is reserved. */
function isOwedLocked({
  give,
  get,
  pinned,
  payments,
  positions,
  facts: { isLate, hasLowerRate, askMe, isAsked },
}: OrderView): boolean {
  const isPromised = get !== undefined && positions.reserve >= get.parts;
  const isInTime = payments.every(({ seenAt, firstConfirmedAt = seenAt, isFeeOk }) => {
    const wait = firstConfirmedAt.getTime() - seenAt.getTime();
    return isFeeOk && seenAt < pinned.lockUntil && wait < pinned.confirmWithin;
  });
  return !isLate && !hasLowerRate && !askMe && !isAsked && isPromised && isInTime && received(payments) === give.parts;
}

function mustBeLocked({ id, state, pinned, facts: { exchange } }: OrderView): void {
  const locked = pinned.terms?.rate.value;
  const value = exchange?.rate?.value;
  if (!locked || (value && value.numerator * locked.denominator === locked.numerator * value.denominator)) return;
  throw new Fault(`${id} was let go on in time, and is in ${state} without its locked rate`);
}
