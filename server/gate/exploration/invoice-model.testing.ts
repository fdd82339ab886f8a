// The rules of invoices once more, written from their description and with none of the code of the machine: states, sums, and the
// fate of each payment. The exploration compares the machine with it after each step. For tests.

import {
  type Coin,
  FALLEN,
  FEE,
  HOLD,
  KEEP,
  LEAST,
  LIFE,
  LOCK,
  LOCKED,
  MINUTES,
  MIN_FEE,
  SMALLEST_REFUND,
  SPREAD,
  type Start,
  USD_IN,
  WINDOW,
  placeOf,
} from './invoice-terms.testing.ts';
import { ANEW, CENT, NOTHING, type Option, type Paid, ceil, cut, join, min, sum } from './invoice-paid.testing.ts';

export class Model {
  readonly start: Start;
  state = 'open';
  options: readonly Option[] = [];
  payments: readonly Paid[] = [];
  first: bigint | undefined;
  /** Credit that was accepted in place of the amount. */
  accepted: bigint | undefined;
  mark: 'settled' | 'invalid' | undefined;

  constructor(start: Start) {
    this.start = start;
  }

  copy(): Model {
    const payments = this.payments.map((one) => ({ ...one, given: [...one.given], hold: one.hold && { ...one.hold } }));
    return Object.assign(new Model(this.start), this, { payments });
  }

  // --- sums, in cents

  get credited(): bigint {
    return sum(this.payments.map(({ credit }) => credit));
  }

  get pending(): bigint {
    return sum(this.payments.map(({ pending }) => pending));
  }

  get due(): bigint | undefined {
    const { amount } = this.start;
    const due = amount === undefined ? undefined : amount - this.credited - this.pending;
    return due === undefined || due > 0n ? due : 0n;
  }

  get needed(): bigint | undefined {
    const { amount, tolerance } = this.start;
    if (this.accepted !== undefined) return this.accepted;
    return amount === undefined ? this.first : ceil(amount * BigInt(10_000 - tolerance), 10_000n);
  }

  get isUnfinished(): boolean {
    return ['open', 'confirming', 'short'].includes(this.state);
  }

  /** State by sums and time. `isTimer`: true if the timer of the invoice's end fires. */
  #decide(isTimer = false): void {
    if (!this.isUnfinished) return;
    const { credited, pending, needed } = this;
    const isPaid = credited > 0n && needed !== undefined && credited >= needed;
    if (isPaid) this.state = 'settled';
    else if (this.state === 'short') this.state = credited > 0n ? 'short' : 'expired';
    else if (pending > 0n && (needed === undefined || credited + pending >= needed)) this.state = 'confirming';
    else if (!isTimer || pending > 0n) this.state = 'open';
    else this.state = credited > 0n ? 'short' : 'expired';
    if (!this.isUnfinished) this.#end();
  }

  /** Nothing is pending once an invoice is settled or has ended; and what is credited by then is the store's. */
  #end(): void {
    for (const one of this.payments) {
      Object.assign(one, { pending: 0n, reserved: 0n });
      if (this.state === 'settled' && one.stage === 'credited') one.isSettled = true;
    }
    if (this.state === 'settled') this.mark = undefined;
  }

  // --- decisions

  /** A member, or the store's preset, accepts a short invoice. */
  accept(): void {
    Object.assign(this, { accepted: this.credited, state: 'settled' });
    this.#end();
  }

  /** A short invoice is given back: its payments as soon as there is a price and the desk has the coin. */
  giveBack(hasPrice: boolean, free: Readonly<Record<Coin, bigint>>): void {
    this.state = 'expired';
    for (const one of this.payments) if (one.stage === 'credited') Object.assign(one, { stage: 'returning', credit: 0n });
    this.#end();
    this.returnCoins(hasPrice, free);
  }

  /** Gives payments back: the coin itself, or its worth at the current middle rate. `free`: the desk's coins. */
  returnCoins(hasPrice: boolean, free: Readonly<Record<Coin, bigint>>): void {
    const left = { ...free };
    for (const one of this.payments.filter(({ stage }) => stage === 'returning')) {
      const isConverted = one.coin !== 'USDT' && !one.isOwn;
      const parts = isConverted ? one.set / (CENT * FALLEN) : one.set;
      if (isConverted && (!hasPrice || left[one.coin] < parts)) continue;
      if (isConverted) left[one.coin] -= parts;
      Object.assign(one, { stage: 'given_back', back: parts });
    }
  }

  /** The late payments of an invoice that has ended are accepted. Returns false if that is refused. */
  acceptLate(hasPrice: boolean, free: bigint): boolean {
    let left = free;
    const late = this.late;
    for (const one of late) {
      one.given.pop();
      one.isInTime = false;
      this.#credit(one, hasPrice, left);
      if (one.stage !== 'credited') return false;
      if (one.coin !== 'USDT' && !one.isOwn) left -= one.set / CENT;
    }
    if (late.length === 0) return false;
    if (this.credited < (this.needed ?? this.credited)) this.accepted = this.credited;
    this.state = 'settled';
    this.#end();
    return true;
  }

  /** Payments that came too late, that the desk did not refuse, and that are large enough to be credited. */
  get late(): readonly Paid[] {
    return this.payments.filter((one) => {
      const least = one.isUnpriced ? 1n : LEAST * USD_IN[one.coin];
      return one.stage === 'unallocated' && !one.isRefused && this.#isTaken(one) && (one.given.at(-1) ?? 0n) >= least;
    });
  }

  /** True if the store takes a payment's coin: that of its option, or litecoin. */
  #isTaken({ coin, option }: Paid): boolean {
    return this.options[option]?.unit === coin || (coin === 'LTC' && this.start.hasLitecoin === true);
  }

  /** The store marks the invoice. Marking an open one invalid ends it, and gives all reserves back. */
  putMark(as: 'settled' | 'invalid'): void {
    this.mark = as;
    if (as === 'settled' || this.state !== 'open') return;
    for (const one of this.payments) one.reserved = 0n;
    this.state = this.credited > 0n ? 'short' : 'cancelled';
    if (this.state === 'cancelled') this.#end();
  }

  // --- prices

  /** Returns the credit of a payment and its worth for the store, in cents, at a share of the locked rate in percent. */
  #worth(coin: Coin, parts: bigint, share: bigint): { readonly credit: bigint; readonly got: bigint } {
    if (coin === 'USDT') return { credit: (parts * 100n) / USD_IN.USDT, got: (parts * 100n) / USD_IN.USDT };
    const got = (parts - ceil(parts * SPREAD, 100n)) * share;
    return { credit: this.start.isBorneByStore && got > 0n ? parts * share : got, got };
  }

  /**
   * Returns the worth of an amount of which `locked` has the locked rate, and the rest the current one. `share`: of the locked rate
   * that counts, in percent.
   */
  #worthOf(coin: Coin, parts: bigint, locked: bigint, share = 100n): { readonly credit: bigint; readonly got: bigint } {
    const first = min(parts, locked);
    const [one, other] = [this.#worth(coin, first, share), this.#worth(coin, parts - first, coin === 'USDT' ? 100n : FALLEN)];
    // A part that is too small to bring anything goes with the other.
    if (first > 0n && other.got <= 0n) return this.#worth(coin, parts, share);
    if (one.got <= 0n) return this.#worth(coin, parts, coin === 'USDT' ? 100n : FALLEN);
    return { credit: one.credit + other.credit, got: one.got + other.got };
  }

  /** Returns the part of an option that still has the locked rate, after other payments. */
  #lockedRest({ parts }: Option, option: number, but: Paid): bigint {
    if (parts === undefined) return 0n;
    const others = this.payments.filter(
      (one) => one !== but && one.option === option && ['seen', 'held', 'waiting', 'credited'].includes(one.stage),
    );
    const used = sum(others.map((one) => min(one.locked, one.stage === 'credited' ? one.used : this.#own(one))));
    const rest = (parts * LOCKED) / 100n - used;
    return rest > 0n ? rest : 0n;
  }

  // --- payments

  find(id: string): Paid {
    return this.payments.find((one) => one.id === id) as Paid;
  }

  /** True if the invoice has handed out a place at which this coin arrives. */
  hasPlace(coin: Coin): boolean {
    return this.options.some(({ unit }) => placeOf(unit) === placeOf(coin));
  }

  /** Part of a payment that is neither its payer's nor taken back. */
  #own({ parts, taken, given }: Paid): bigint {
    return parts - taken - sum(given);
  }

  choose(unit: 'BTC' | 'USDT', at: number, parts: bigint | undefined): void {
    const now = MINUTES[at] as number;
    const until = this.state === 'open' ? Math.min(now + LOCK, LIFE) : now + LOCK;
    const options = this.options.map((one, n) =>
      n === this.options.length - 1 ? { ...one, until: Math.min(one.until, now) } : one,
    );
    this.options = [...options, { unit, at, until, parts }];
  }

  /** Smallest amount whose credit at the locked rate is at least `due`, in cents. */
  askFor(unit: 'BTC' | 'USDT', due: bigint): bigint {
    if (unit === 'USDT') return due * (USD_IN.USDT / 100n);
    let parts = LEAST;
    while (this.#worth(unit, parts, 100n).credit < due) parts += 1n;
    return parts;
  }

  appear(id: string, coin: Coin, parts: bigint, at: number): void {
    const sums = { taken: 0n, locked: 0n, pending: 0n, credit: 0n, used: 0n, reserved: 0n, set: 0n, back: 0n };
    const begins = { confirmedAt: undefined, given: [], isOwn: false, isInTime: false, isSettled: false, unsettled: NOTHING };
    const paid: Paid = { id, coin, parts, at, ...sums, ...begins, ...ANEW, stage: 'dropped', option: -1 };
    this.payments = [...this.payments, paid];
  }

  /** Assigns a payment to the last option in whose lock it was made, else to the last one of its place. */
  #assign(one: Paid): Option {
    const there = this.options.flatMap((option, n) => (placeOf(option.unit) === placeOf(one.coin) ? [n] : []));
    const made = MINUTES[one.at] as number;
    const isIn = ({ at, until }: Option): boolean => at <= one.at && made <= until;
    one.option = there.findLast((n) => isIn(this.options[n] as Option)) ?? (there.at(-1) as number);
    const option = this.options[one.option] as Option;
    one.isInTime = isIn(option) && option.unit === one.coin;
    return option;
  }

  /** A payment is seen. `free`: the desk's free money, in cents. */
  see(id: string, free: bigint): void {
    const one = this.find(id);
    const option = this.#assign(one);
    Object.assign(one, { stage: 'seen', locked: 0n, ...ANEW });
    if (!one.isInTime || !this.isUnfinished) return;
    const isAny = option.parts === undefined;
    one.locked = min(this.#lockedRest(option, one.option, one), one.parts);
    const counted = isAny ? one.parts : one.locked;
    if (one.parts < LEAST * USD_IN[one.coin] || this.#worth(one.coin, counted, 100n).got === 0n) return this.#decide();
    const { credit, got } = this.#worth(one.coin, counted, 100n);
    one.pending = credit;
    one.reserved = one.coin === 'USDT' || isAny || got > free ? 0n : got;
    this.#decide();
  }

  /** A payment that was in time is late: it has no confirmation in its window. */
  #lose(one: Paid): void {
    Object.assign(one, { isInTime: false, locked: 0n, pending: 0n, reserved: 0n });
    this.#decide();
  }

  #isConfirmedLate = ({ at }: Paid, now: number): boolean => (MINUTES[now] as number) - (MINUTES[at] as number) > WINDOW;

  /** A payment is confirmed for the first time and not final. */
  confirm(id: string, now: number): void {
    const one = this.find(id);
    one.confirmedAt ??= now;
    if (one.isInTime && this.#isConfirmedLate(one, one.confirmedAt)) this.#lose(one);
  }

  miss(now: number): void {
    if (!this.isUnfinished) return;
    for (const one of this.payments)
      if (one.stage === 'seen' && one.isInTime && this.#isConfirmedLate(one, one.confirmedAt ?? now)) this.#lose(one);
  }

  drop(id: string): void {
    Object.assign(this.find(id), { stage: 'dropped', confirmedAt: undefined, pending: 0n, reserved: 0n });
    this.#decide();
  }

  /** A payment is final. `back`: what its payer has of it again, and what is still away. */
  arrive(
    id: string,
    { now, flag, hasPrice, free }: { now: number; flag: 'soft' | 'hard' | undefined; hasPrice: boolean; free: bigint },
    back?: { readonly taken: bigint; readonly given: bigint[] },
  ): void {
    const one = this.find(id);
    if (one.stage === 'dropped' || one.stage === 'reversed') {
      this.#assign(one);
      Object.assign(one, ANEW);
    }
    if (back) Object.assign(one, back);
    one.confirmedAt ??= now;
    if (this.#isConfirmedLate(one, one.confirmedAt)) one.isInTime = false;
    const isMethod = this.#isTaken(one);
    one.isUnpriced = one.coin === 'LTC' && isMethod && !hasPrice;
    if (flag)
      Object.assign(one, {
        ...{ pending: one.pending || this.#expected(one, isMethod, hasPrice), stage: 'held', reserved: 0n },
        hold: { isSoft: flag === 'soft', at: now, hasPapers: false },
      });
    else if (this.isUnfinished && isMethod) return this.#credit(one, hasPrice, free);
    else return this.#giveBack(one);
    this.#decide();
  }

  /** Returns the credit that a held payment would bring if it counted now, in cents. */
  #expected(one: Paid, isMethod: boolean, hasPrice: boolean): bigint {
    const own = this.#own(one);
    if (!this.isUnfinished || !isMethod || own < LEAST * USD_IN[one.coin]) return 0n;
    const isHeldRate = one.isInTime && this.start.amount !== undefined;
    const locked = isHeldRate ? min(this.#lockedRest(this.options[one.option] as Option, one.option, one), own) : 0n;
    return locked < own && !hasPrice && one.coin !== 'USDT' ? 0n : this.#worthOf(one.coin, own, locked).credit;
  }

  // --- decisions about held payments

  /** Returns the minutes for which a payment has been held. */
  #heldFor = (one: Paid, now: number): number => (MINUTES[now] as number) - (MINUTES[one.hold?.at ?? now] as number);

  /** A held payment counts as final now. Its locked rate is kept for some time, without papers for longer. */
  release(id: string, { now, hasPrice, free }: { now: number; hasPrice: boolean; free: bigint }): void {
    const one = this.find(id);
    const minutes = this.#heldFor(one, now);
    const hasPapers = one.hold?.hasPapers === true;
    const isKept = minutes < HOLD && (!hasPapers || minutes <= KEEP);
    one.hold = undefined;
    if (!isKept && hasPapers) one.hasLowerRate = true;
    if (!isKept && !hasPapers) one.isInTime = false;
    if (this.isUnfinished && this.#isTaken(one)) this.#credit(one, hasPrice, free);
    else this.#giveBack(one);
  }

  /** A payment that was settled before its rail took it back is settled again. */
  settleHeld(id: string, own: bigint): void {
    const one = this.find(id);
    one.hold = undefined;
    this.settleAgain(id, one.given, 0n, own);
  }

  refuse(id: string): void {
    const one = this.find(id);
    this.#giveBack(one);
    Object.assign(one, { isRefused: true, unsettled: NOTHING });
    this.#decide();
  }

  askPapers(id: string): void {
    const { hold } = this.find(id);
    if (hold) hold.hasPapers = true;
  }

  /** The time of holds is over: soft ones end with a refusal, and hard ones no longer count. */
  holdOver(now: number): void {
    for (const one of this.payments.filter(({ stage }) => stage === 'held')) {
      if (this.#heldFor(one, now) < HOLD) continue;
      if (one.hold?.isSoft) this.refuse(one.id);
      else one.pending = 0n;
    }
    this.#decide();
  }

  #giveBack(one: Paid): void {
    const own = this.#own(one);
    Object.assign(one, { stage: 'unallocated', pending: 0n, reserved: 0n, credit: 0n, used: 0n });
    if (own > 0n) one.given.push(own);
  }

  #credit(one: Paid, hasPrice: boolean, free: bigint): void {
    const { amount, tolerance } = this.start;
    const own = this.#own(one);
    const option = this.options[one.option] as Option;
    const isHeldRate = one.isInTime && amount !== undefined;
    const locked = isHeldRate ? min(this.#lockedRest(option, one.option, one), own) : 0n;
    const isLower = one.hasLowerRate && locked > 0n;
    if (hasPrice) one.isUnpriced = false;
    if (own === 0n) this.#giveBack(one);
    else if ((locked < own || isLower) && !hasPrice && one.coin !== 'USDT')
      Object.assign(one, { stage: 'waiting', pending: 0n, reserved: 0n });
    else {
      const share = isLower && one.coin !== 'USDT' ? FALLEN : 100n;
      const creditOf = (parts: bigint): bigint => this.#worthOf(one.coin, parts, locked, share).credit;
      const missing = (amount ?? 0n) - this.credited;
      let used = own;
      const isOver = amount !== undefined && (creditOf(own) - missing) * 10_000n > amount * BigInt(tolerance);
      if (isOver) {
        const step = one.coin === 'USDT' ? USD_IN.USDT / 100n : 1n;
        let enough = 0n;
        while (creditOf(enough) < missing) enough += step;
        if (own - enough > SMALLEST_REFUND * USD_IN[one.coin]) used = enough;
      }
      const { credit, got } = this.#worthOf(one.coin, used, locked, share);
      one.locked = this.#worth(one.coin, min(locked, used), 100n).got > 0n ? min(locked, used) : 0n;
      if (got === 0n || own < LEAST * USD_IN[one.coin]) this.#giveBack(one);
      else this.#book(one, { used, over: own - used, credit, got, free });
    }
    this.#decide();
  }

  #book(one: Paid, booked: { used: bigint; over: bigint; credit: bigint; got: bigint; free: bigint }): void {
    const { used, over, credit, got, free } = booked;
    const isOwn = one.coin === 'USDT' || got > free + one.reserved;
    const set = one.coin === 'USDT' || !isOwn ? got * CENT : used;
    Object.assign(one, { stage: 'credited', pending: 0n, reserved: 0n, credit, used, isOwn, set, isSettled: false });
    if (over > 0n) one.given.push(over);
    this.first ??= credit;
  }

  /** The price is there, or the invoice has ended: payments that waited are decided, one after the other. */
  price(hasPrice: boolean, free: bigint): void {
    let left = free;
    for (const one of this.payments.filter(({ stage }) => stage === 'waiting')) {
      if (!this.isUnfinished) this.#giveBack(one);
      else if (hasPrice) this.#credit(one, true, left);
      if (one.coin !== 'USDT' && !one.isOwn) left -= one.set / CENT;
    }
  }

  timeOver(now: number): void {
    if (this.state === 'open' && (MINUTES[now] as number) >= LIFE && this.pending === 0n) this.#decide(true);
  }

  /** Only an open invoice of which nothing is credited, seen or held is cancelled. */
  cancel(): void {
    const isIdle = this.payments.every(({ stage }) => ['dropped', 'reversed', 'unallocated'].includes(stage));
    if (this.state === 'open' && isIdle) this.state = 'cancelled';
  }

  /** The rail takes back the amount `parts` of a final payment: the payer's parts first, the latest before the others. */
  reverse(id: string, parts: bigint): void {
    const one = this.find(id);
    let left = parts;
    one.given = one.given
      .toReversed()
      .map((given) => {
        const part = min(given, left);
        left -= part;
        return given - part;
      })
      .toReversed();
    const had = one.parts - one.taken - sum(one.given) - (parts - left);
    one.taken += parts;
    if (one.stage === 'held' && left > 0n) one.pending = (one.pending * (had - left)) / had;
    if ((one.stage === 'credited' || one.stage === 'returning') && left > 0n) {
      const { gone, rest } = cut(one, left);
      if (one.isSettled) one.unsettled = join(one.unsettled, gone);
      Object.assign(one, rest);
    }
    if (one.taken === one.parts)
      Object.assign(one, {
        stage: 'reversed',
        confirmedAt: undefined,
        pending: 0n,
        reserved: 0n,
        used: 0n,
        set: 0n,
        isSettled: false,
        ...ANEW,
      });
    if (this.state === 'settled' && this.credited < (this.needed ?? 0n)) this.state = 'invalid';
    this.#decide();
  }

  /** A settled payment that was taken back comes again, wholly or in part: it is settled again. */
  settleAgain(id: string, given: bigint[], parts: bigint, own: bigint): void {
    const one = this.find(id);
    const { gone: again, rest } = cut(one.unsettled, min(own, one.unsettled.used));
    const taken = one.stage === 'reversed' ? one.parts - parts : one.taken - parts;
    Object.assign(one, { ...join(one, again), stage: 'credited', unsettled: rest, isSettled: true, given, taken });
    if (own > again.used) one.given.push(own - again.used);
    if (this.state !== 'invalid' || this.credited < (this.needed ?? 0n)) return;
    Object.assign(this, { state: 'settled', mark: undefined });
  }

  /** A part of a payment comes again that is not wholly away: it is its payer's, unless the payment waits. */
  comeBack(id: string, given: bigint[], parts: bigint, own: bigint): void {
    const one = this.find(id);
    Object.assign(one, { given, taken: one.taken - parts });
    if (own > 0n && one.stage !== 'held' && one.stage !== 'waiting') one.given.push(own);
  }

  // --- accounts

  /** Part of a payment that stands in `invoice:in`. */
  inOf(one: Paid): bigint {
    return one.stage === 'held' || one.stage === 'waiting' ? this.#own(one) : 0n;
  }

  /** Smallest fee that the desk takes of an amount in a unit. */
  static feeOf(unit: Coin, total: bigint): bigint {
    const share = ceil(total * FEE, 1_000n);
    return min(total, share > MIN_FEE[unit] ? share : MIN_FEE[unit]);
  }
}
