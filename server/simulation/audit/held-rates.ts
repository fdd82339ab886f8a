// What an order's locked rate is still good for once it was held. Nothing here is taken from the code that is
// being judged.

import type { OrderView } from '../../exchange/index.ts';
import { Fault, type HeldRate, received } from './invariants.ts';

/** Milliseconds: how long a hold keeps the locked rate, and how long where papers were asked for or have come. */
export interface HoldTerms {
  readonly hold: number;
  readonly withPapers: number;
}

export class HeldRates {
  readonly #terms: HoldTerms;
  readonly #tell: (what: string) => void;
  readonly #rates = new Map<string, HeldRate>();

  /** `tell` is told each sort of release that was met. */
  constructor(terms: HoldTerms, tell: (what: string) => void = () => {}) {
    this.#terms = terms;
    this.#tell = tell;
  }

  /** What a hold has left of an order's locked rate; undefined where it was never let go on later than it may. */
  of({ id }: OrderView): HeldRate | undefined {
    return this.#rates.get(id);
  }

  /**
   * 10: an order stood in one way and stands in another, at a time in milliseconds. Papers give the promise back at once; a
   * hold that is let go on in time goes on at the locked rate.
   */
  follow(before: OrderView | undefined, view: OrderView, now: number): void {
    const hold = before?.facts.hold;
    if (before?.state !== 'holding' || !hold) return;
    if (view.state === 'holding' && view.facts.hold?.papers !== undefined && view.positions.reserve !== 0n)
      throw new Fault(`${view.id} has papers ${view.facts.hold.papers}, and ${view.positions.reserve} set aside for it still`);
    if (!isLetGoOn(before, view)) return;
    const held = now - hold.since.getTime();
    const most = hold.papers === undefined ? this.#terms.hold - 1 : this.#terms.withPapers;
    const papers = hold.papers === undefined ? 'no papers' : `papers ${hold.papers}`;
    this.#tell(`held: ${papers}, ${held <= most ? 'in time' : 'late'}`);
    if (held > most) this.#rates.set(view.id, hold.papers === undefined ? 'gone' : 'lower');
    else if (isOwedLocked(before)) mustBeLocked(view);
  }
}

/** Whether people let it go on: it is exchanged, or its customer is asked; and its payments stand as they stood. */
function isLetGoOn(before: OrderView, view: OrderView): boolean {
  const isAsked = view.state === 'choosing';
  const isExchanged = view.facts.exchange !== undefined && before.facts.exchange === undefined;
  return before.kind === 'order' && (isAsked || isExchanged) && received(before.payments) === received(view.payments);
}

/** All that it asked for came in time, and what it was promised is set aside. */
function isOwedLocked({ give, get, pinned, payments, positions, facts: { late, lower, askMe, asked } }: OrderView): boolean {
  const isPromised = get !== undefined && positions.reserve >= get.parts;
  const isInTime = payments.every(({ seenAt, firstConfirmedAt = seenAt, feeOk }) => {
    const wait = firstConfirmedAt.getTime() - seenAt.getTime();
    return feeOk && seenAt < pinned.lockUntil && wait < pinned.confirmWithin;
  });
  return !late && !lower && !askMe && !asked && isPromised && isInTime && received(payments) === give.parts;
}

function mustBeLocked({ id, state, pinned, facts: { exchange } }: OrderView): void {
  const locked = pinned.terms?.rate.value;
  const value = exchange?.rate?.value;
  if (!locked || (value && value.numerator * locked.denominator === locked.numerator * value.denominator)) return;
  throw new Fault(`${id} was let go on in time, and is in ${state} without its locked rate`);
}
