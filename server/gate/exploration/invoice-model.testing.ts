// The rules of invoices once more, written from their description and with none of the code of the machine: states, sums, and the
// fate of each payment. The exploration compares the machine with it after each step. For tests.

import {
  type Coin,
  FALLEN,
  FEE,
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

/** Stage of a payment, as its invoice must show it. */
type Stage = 'seen' | 'held' | 'waiting' | 'credited' | 'unallocated' | 'returning' | 'given_back' | 'dropped' | 'reversed';

/** A payment at its rail, and its fate. Amounts are in parts of its coin; credits in cents. */
export interface Paid {
  readonly id: string;
  readonly coin: Coin;
  readonly parts: bigint;
  /** Number of the minute at which it was made. */
  readonly at: number;
  /** Number of the minute of its first confirmation. */
  confirmedAt: number | undefined;
  /** Part that the rail took back. */
  taken: bigint;
  /** Parts that the payer was given, the oldest first. */
  given: bigint[];
  stage: Stage;
  isInTime: boolean;
  /** Number of its option. */
  option: number;
  /** Part with the locked rate: the first payments have it. */
  locked: bigint;
  pending: bigint;
  credit: bigint;
  /** Part that was credited. */
  used: bigint;
  /** Money reserved for it, in cents. */
  reserved: bigint;
  /** True if the store is owed the coin itself. */
  isOwn: boolean;
  /** Amount that stands for the store, in parts: of USDT, or of the coin if the store is owed that. */
  set: bigint;
  isSettled: boolean;
  /** Part that its payer was given back. */
  back: bigint;
  /** Part that its rail took back after it was settled. */
  unsettled: Share;
}

/** A part of a payment, with its credit and what the store got for it. */
interface Share {
  readonly used: bigint;
  readonly credit: bigint;
  readonly set: bigint;
}

const NOTHING: Share = { used: 0n, credit: 0n, set: 0n };

interface Option {
  readonly unit: 'BTC' | 'USDT';
  readonly at: number;
  readonly until: number;
  readonly parts: bigint | undefined;
}

/** Parts of USDT that a cent is worth. */
const CENT = 10_000n;
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
const sum = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n);

/** Cuts a part off what was credited. The store gives back a share that is rounded up, and the rest of the credit is rounded down. */
function cut({ used, credit, set }: Share, parts: bigint): { readonly gone: Share; readonly rest: Share } {
  if (parts === 0n) return { gone: NOTHING, rest: { used, credit, set } };
  const rest = { used: used - parts, credit: (credit * (used - parts)) / used, set: set - ceil(set * parts, used) };
  return { gone: { used: parts, credit: credit - rest.credit, set: set - rest.set }, rest };
}

const join = (one: Share, other: Share): Share => ({
  ...{ used: one.used + other.used, credit: one.credit + other.credit, set: one.set + other.set },
});

export class Model {
  readonly start: Start;
  state = 'open';
  options: readonly Option[] = [];
  payments: readonly Paid[] = [];
  first: bigint | undefined;
  /** Credit that was accepted in place of the amount. */
  accepted: bigint | undefined;

  constructor(start: Start) {
    this.start = start;
  }

  copy(): Model {
    const payments = this.payments.map((one) => ({ ...one, given: [...one.given] }));
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
  }

  // --- decisions

  /** A member, or the store's preset, accepts a short invoice. */
  accept(): void {
    Object.assign(this, { accepted: this.credited, state: 'settled' });
    this.#end();
  }

  /** A short invoice is given back: its payments as soon as there is a price and the desk has the coin. */
  giveBack(hasPrice: boolean, free: bigint): void {
    this.state = 'expired';
    for (const one of this.payments) if (one.stage === 'credited') Object.assign(one, { stage: 'returning', credit: 0n });
    this.#end();
    this.returnCoins(hasPrice, free);
  }

  /** Gives payments back: the coin itself, or its worth at the current middle rate. `free`: the desk's bitcoin. */
  returnCoins(hasPrice: boolean, free: bigint): void {
    let left = free;
    for (const one of this.payments.filter(({ stage }) => stage === 'returning')) {
      const isConverted = one.coin === 'BTC' && !one.isOwn;
      const parts = isConverted ? one.set / (CENT * FALLEN) : one.set;
      if (isConverted && (!hasPrice || left < parts)) continue;
      if (isConverted) left -= parts;
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
      if (one.coin === 'BTC' && !one.isOwn) left -= one.set / CENT;
    }
    if (late.length === 0) return false;
    if (this.credited < (this.needed ?? this.credited)) this.accepted = this.credited;
    this.state = 'settled';
    this.#end();
    return true;
  }

  /** Payments that came too late, and that are large enough to be credited. */
  get late(): readonly Paid[] {
    return this.payments.filter(
      ({ stage, coin, option, given }) =>
        stage === 'unallocated' &&
        this.options[option]?.unit === coin &&
        given.length > 0 &&
        (given.at(-1) ?? 0n) >= LEAST * USD_IN[coin],
    );
  }

  // --- prices

  /** Returns the credit of a payment and its worth for the store, in cents, at a share of the locked rate in percent. */
  #worth(coin: Coin, parts: bigint, share: bigint): { readonly credit: bigint; readonly got: bigint } {
    if (coin === 'USDT') return { credit: (parts * 100n) / USD_IN.USDT, got: (parts * 100n) / USD_IN.USDT };
    const got = (parts - ceil(parts * SPREAD, 100n)) * share;
    return { credit: this.start.isBorneByStore && got > 0n ? parts * share : got, got };
  }

  /** Returns the worth of an amount of which `locked` has the locked rate, and the rest the current one. */
  #worthOf(coin: Coin, parts: bigint, locked: bigint): { readonly credit: bigint; readonly got: bigint } {
    const first = min(parts, locked);
    const [one, other] = [this.#worth(coin, first, 100n), this.#worth(coin, parts - first, coin === 'USDT' ? 100n : FALLEN)];
    // A part that is too small to bring anything goes with the other.
    if (first > 0n && other.got <= 0n) return this.#worth(coin, parts, 100n);
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
    const paid: Paid = { id, coin, parts, at, ...sums, ...begins, stage: 'dropped', option: -1 };
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
    Object.assign(one, { stage: 'seen', locked: 0n });
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
    { now, isFlagged, hasPrice, free }: { now: number; isFlagged: boolean; hasPrice: boolean; free: bigint },
    back?: { readonly taken: bigint; readonly given: bigint[] },
  ): void {
    const one = this.find(id);
    if (one.stage === 'dropped' || one.stage === 'reversed') this.#assign(one);
    if (back) Object.assign(one, back);
    one.confirmedAt ??= now;
    if (this.#isConfirmedLate(one, one.confirmedAt)) one.isInTime = false;
    const isMethod = (this.options[one.option] as Option).unit === one.coin;
    if (isFlagged)
      Object.assign(one, { pending: one.pending || this.#expected(one, isMethod, hasPrice), stage: 'held', reserved: 0n });
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
    if (own === 0n) this.#giveBack(one);
    else if (locked < own && !hasPrice && one.coin !== 'USDT')
      Object.assign(one, { stage: 'waiting', pending: 0n, reserved: 0n });
    else {
      const creditOf = (parts: bigint): bigint => this.#worthOf(one.coin, parts, locked).credit;
      const missing = (amount ?? 0n) - this.credited;
      let used = own;
      const isOver = amount !== undefined && (creditOf(own) - missing) * 10_000n > amount * BigInt(tolerance);
      if (isOver) {
        const step = one.coin === 'USDT' ? USD_IN.USDT / 100n : 1n;
        let enough = 0n;
        while (creditOf(enough) < missing) enough += step;
        if (own - enough > SMALLEST_REFUND * USD_IN[one.coin]) used = enough;
      }
      const { credit, got } = this.#worthOf(one.coin, used, locked);
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
      if (one.coin === 'BTC' && !one.isOwn) left -= one.set / CENT;
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
    one.taken += parts;
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
    if (this.state === 'invalid' && this.credited >= (this.needed ?? 0n)) this.state = 'settled';
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
  static feeOf(unit: 'BTC' | 'USDT', total: bigint): bigint {
    const share = ceil(total * FEE, 1_000n);
    return min(total, share > MIN_FEE[unit] ? share : MIN_FEE[unit]);
  }
}
