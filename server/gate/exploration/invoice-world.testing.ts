// Simulates everything around one invoice: its payments at their rails, the exchange that has its payers' money, its store and the
// books. Each step is applied to the machine and to the model of the rules. For tests.

import { type Payment, min, takenBack as takeFromCustody } from '../../collecting/index.ts';
import { type AccountRef, type Leg, accounts, assertLegal } from '../../ledger/index.ts';
import type { MachineRow } from '../../platform/index.ts';
import type { InvoiceStep, StepContext } from '../invoices/draft.ts';
import * as decisions from '../invoices/decide.ts';
import * as held from '../invoices/held.ts';
import {
  type HandedOver,
  type Invoice,
  type InvoiceMark,
  type InvoicePayment,
  ownOf,
  givenTo,
  handedOver,
  payersPart,
  toGive,
} from '../invoices/invoice.ts';
import type { InvoiceEvent, InvoicePosting, InvoiceState } from '../invoices/invoice-machine.ts';
import { mark } from '../invoices/mark.ts';
import { releaseSettled, settleAgain } from '../reversals/settled-again.ts';
import * as steps from '../invoices/steps.ts';
import * as takenBack from '../reversals/taken-back.ts';
import { Model } from './invoice-model.testing.ts';
import { postingOf } from './invoice-postings.testing.ts';
import {
  type Coin,
  FALLEN,
  KEEP,
  LEAST,
  MINUTES,
  MIN_FEE,
  SMALLEST_REFUND,
  type Start,
  minute,
  newInvoice,
  optionAt,
  placeOf,
  priceOf,
} from './invoice-terms.testing.ts';

export type Row = MachineRow<InvoiceState, InvoiceEvent, InvoicePosting>;

/** The steps of an invoice, or broken ones that a test must notice. */
export interface Steps {
  readonly see: typeof steps.see;
  readonly drop: typeof steps.drop;
  readonly miss: typeof steps.miss;
  readonly arrive: typeof steps.arrive;
  readonly price: typeof steps.price;
  readonly timeOver: typeof steps.timeOver;
  readonly cancel: typeof steps.cancel;
  readonly choose: typeof steps.choose;
  readonly reverse: typeof takenBack.reverse;
  readonly comeBack: typeof takenBack.comeBack;
  readonly accept: typeof decisions.accept;
  readonly giveBack: typeof decisions.giveBack;
  readonly decideByPreset: typeof decisions.decideByPreset;
  readonly returnCoins: typeof decisions.returnCoins;
  readonly acceptLate: typeof decisions.acceptLate;
  readonly release: typeof held.release;
  readonly releaseSettled: typeof releaseSettled;
  readonly refuse: typeof held.refuse;
  readonly notePapers: typeof held.notePapers;
  readonly holdOver: typeof held.holdOver;
  readonly mark: typeof mark;
}

export const STEPS: Steps = { ...steps, ...takenBack, ...decisions, ...held, releaseSettled, mark };

/** A broken rule that the simulation found. */
export class Fault extends Error {}

/** A change of the invoice's state, and the postings of its step. */
export interface Taken {
  readonly from: InvoiceState;
  readonly event: InvoiceEvent;
  readonly to: InvoiceState;
  readonly money: readonly InvoicePosting[];
}

const CENT = 10_000n;
const FREE = { BTC: accounts.deskFree('BTC'), USDT: accounts.deskFree('USDT'), LTC: accounts.deskFree('LTC') };
export const CUSTODY = {
  BTC: accounts.custody('BTC', 'hot', 'BTC'),
  LTC: accounts.custody('LTC', 'hot', 'LTC'),
  USDT: accounts.custody('USDT', 'hot', 'USDT'),
};
const WALLET = accounts.wallet('holder', 'USDT');
export const MERCHANT = {
  BTC: accounts.merchant('store', 'BTC'),
  LTC: accounts.merchant('store', 'LTC'),
  USDT: accounts.merchant('store', 'USDT'),
};
/** Bounds of payments in litecoin, while there is a price. */
const BOUNDS = { least: LEAST, smallestRefund: SMALLEST_REFUND, minFee: MIN_FEE.LTC };

/** One moment of a simulated invoice. Steps change a copy. */
export class World {
  readonly steps: Steps;
  invoice: Invoice;
  model: Model;
  books: ReadonlyMap<string, bigint> = new Map();
  /** Number of the current minute. */
  now = 0;
  hasPrice: boolean;
  /** USDT that the store has moved to its wallet, and bitcoin that the desk has spent, in parts. */
  moved = 0n;
  spent = 0n;
  /** The last change of the state. */
  taken: Taken | undefined;

  constructor(start: Start, sound: Steps = STEPS) {
    this.steps = sound;
    this.model = new Model(start);
    this.invoice = newInvoice(start);
    this.hasPrice = start.isClosed !== true;
    this.#post([{ from: CUSTODY.USDT, to: FREE.USDT, parts: start.free * 100n * CENT }]);
  }

  copy(): World {
    return Object.assign(new World(this.model.start, this.steps), this, { model: this.model.copy(), taken: undefined });
  }

  // --- books

  /** Returns the balance of an account with the sign in which people see it. */
  shown({ name, class: kind }: AccountRef): bigint {
    const stored = this.books.get(name) ?? 0n;
    return kind === 'held' || kind === 'spent' ? -stored : stored;
  }

  #post(legs: readonly Pick<Leg, 'from' | 'to' | 'parts'>[]): void {
    const after = new Map(this.books);
    for (const { from, to, parts } of legs) {
      if (from.unit !== to.unit || parts <= 0n) throw new Fault(`a leg of ${parts} from ${from.name} to ${to.name}`);
      after.set(from.name, (after.get(from.name) ?? 0n) - parts);
      after.set(to.name, (after.get(to.name) ?? 0n) + parts);
    }
    for (const { from, to } of legs) {
      if (from.floor !== null && (after.get(from.name) ?? 0n) < from.floor) throw new Fault(`${from.name} below its floor`);
      if (to.ceiling !== null && (after.get(to.name) ?? 0n) > to.ceiling) throw new Fault(`${to.name} above its ceiling`);
    }
    this.books = after;
  }

  get #coins(): Record<Coin, bigint> {
    return { BTC: this.shown(FREE.BTC), LTC: this.shown(FREE.LTC), USDT: this.shown(FREE.USDT) };
  }

  get #freeCents(): bigint {
    return this.shown(FREE.USDT) / CENT;
  }

  // --- steps of the machine

  #context(payment?: InvoicePayment): StepContext {
    const { isBorneByStore, hasLitecoin } = this.model.start;
    const unit = (payment?.booked?.unit ?? 'USDT') as Coin;
    return {
      now: this.#time,
      reservable: this.shown(FREE.USDT),
      coins: new Map(Object.entries(FREE).map(([unit, account]) => [unit, this.shown(account)])),
      priceNow: (coin) =>
        coin === 'USDT'
          ? priceOf(coin, isBorneByStore)
          : this.hasPrice
            ? priceOf(coin as Coin, isBorneByStore, FALLEN)
            : undefined,
      takenNow: (coin) => (coin === 'LTC' && hasLitecoin ? { bounds: this.hasPrice ? BOUNDS : undefined } : undefined),
      ...(payment && {
        balances: {
          custody: this.shown(CUSTODY[payment.unit as Coin]),
          free: this.shown(FREE[payment.unit as Coin]),
          merchant: this.shown(MERCHANT[unit]),
        },
      }),
    };
  }

  get #time(): Date {
    return minute(MINUTES[this.now] as number);
  }

  /** Takes a step of the machine, and hands over what belongs to payers. */
  #take(event: InvoiceEvent, step: InvoiceStep | undefined): void {
    if (!step) throw new Fault(`${event} is not accepted in ${this.invoice.state}`);
    const { legs, kind } = step;
    if (legs.length > 0) assertLegal({ id: 'journal', kind, cause: 'invoice', legs });
    this.#post(legs);
    this.taken = {
      from: this.invoice.state,
      event,
      to: step.invoice.state,
      money: [...new Set(legs.map((leg) => postingOf(leg, event)))],
    };
    // The time for a decision may be over at any moment.
    const { decideAt: _, ...invoice } = step.invoice;
    this.invoice = invoice.state === 'short' ? { ...invoice, decideAt: minute(0) } : invoice;
    for (const payment of this.invoice.payments) this.#handOver(payment);
  }

  #handOver(payment: InvoicePayment): void {
    const [parts, unit] = [payersPart(payment), payment.unit];
    this.#giveBack(payment);
    if (parts === 0n) return;
    const orderId = `${payment.id}.${payment.handedOver?.length ?? 0}`;
    this.#post([{ from: accounts.invoiceIn('invoice', unit), to: accounts.unallocated(orderId, unit), parts }]);
    this.invoice = handedOver(this.invoice, payment, orderId, minute(0));
  }

  #giveBack(payment: InvoicePayment): void {
    const [parts, unit, orderId] = [toGive(payment), payment.unit, `${payment.id}.back`];
    if (parts === 0n) return;
    const isConverted = payment.booked?.unit !== unit;
    const from = isConverted ? accounts.deskFree(unit) : accounts.invoiceSet('invoice', unit);
    this.#post([{ from, to: accounts.unallocated(orderId, unit), parts }]);
    this.invoice = givenTo(this.invoice, payment, orderId);
  }

  #payment(id: string): InvoicePayment | undefined {
    return this.invoice.payments.find((one) => one.id === id);
  }

  #reported(id: string, status: 'seen' | 'final', isConfirmed = status === 'final'): steps.Reported {
    const { coin, parts, at, confirmedAt } = this.model.find(id);
    const confirmed = confirmedAt ?? (isConfirmed ? this.now : undefined);
    const payment: Payment = {
      ...{ id, parts, status, place: 'hot', txid: id, seenAt: minute(MINUTES[at] as number), isFeeOk: true, needed: 2 },
      confirmations: confirmed === undefined ? 0 : 1,
      ...(confirmed !== undefined && { firstConfirmedAt: minute(MINUTES[confirmed] as number) }),
    };
    return { payment, addressId: placeOf(coin), currency: coin, unit: coin };
  }

  // --- what happens

  /** The buyer chooses a method, and is asked for what is due. */
  choose(unit: 'BTC' | 'USDT'): void {
    const { due } = this.model;
    const parts = due === undefined ? undefined : this.model.askFor(unit, due);
    const option = optionAt(this.invoice, unit, MINUTES[this.now] as number, { parts, pays: due });
    this.#take('choose', this.steps.choose(this.invoice, option));
    this.model.choose(unit, this.now, parts);
  }

  /** A payment appears on its rail; or one that was dropped appears again. */
  see(id: string): void {
    const free = this.#freeCents;
    this.#take('see', this.steps.see(this.invoice, this.#reported(id, 'seen'), this.#context()));
    this.model.see(id, free);
  }

  /** A payment gets its first confirmation, and is not final. */
  confirm(id: string): void {
    this.#take('see', this.steps.see(this.invoice, this.#reported(id, 'seen', true), this.#context()));
    this.model.confirm(id, this.now);
  }

  drop(id: string): void {
    this.#take('drop', this.steps.drop(this.invoice, id));
    this.model.drop(id);
  }

  arrive(id: string, flag?: 'soft' | 'hard'): void {
    this.#arrive(id, flag);
  }

  #arrive(id: string, flag?: 'soft' | 'hard', back?: { taken: bigint; handedOver: readonly HandedOver[] }): void {
    const free = this.#freeCents;
    const reported = this.#reported(id, 'final');
    const arrival = {
      flag,
      from: CUSTODY[reported.currency as Coin],
      ...(back && { back }),
    };
    this.#take(flag ? 'hold' : 'arrive', this.steps.arrive(this.invoice, reported, arrival, this.#context()));
    const given = back && { taken: back.taken, given: back.handedOver.map(({ parts, taken }) => parts - taken) };
    this.model.arrive(id, { now: this.now, flag, hasPrice: this.hasPrice, free }, given);
    const again = this.steps.arrive(this.invoice, reported, arrival, this.#context());
    if (again) throw new Fault(`the final payment ${id} is counted a second time`);
  }

  /** The rail takes back a part of a final payment: the exchange gives up what the payer has, the latest first. */
  reverse(id: string, parts: bigint): void {
    const payment = this.#payment(id);
    if (!payment) throw new Fault(`the invoice does not know the payment ${id}`);
    const { left, again } = this.#changeGiven(payment, parts, ({ parts: all, taken }) => all - taken, 1n);
    const isWhole = parts === payment.parts - (payment.taken ?? 0n);
    const taken = { paymentId: id, rail: 'rail', handedOver: again, ...(!isWhole && { parts: left }) };
    this.#take('reverse', this.steps.reverse(this.invoice, taken, this.#context(this.#payment(id))));
    this.model.reverse(id, parts);
  }

  /** A reversal is undone, wholly or in part: the exchange gets back first what it gave up. */
  comeAgain(id: string, parts: bigint, flag?: 'soft' | 'hard'): void {
    const payment = this.#payment(id);
    if (!payment) throw new Fault(`the invoice does not know the payment ${id}`);
    const { left, again } = this.#changeGiven(payment, parts, ({ taken }) => taken, -1n);
    if (payment.unsettled && payment.stage !== 'held' && !flag) return this.#settleAgain(payment, parts, left, again);
    if (payment.stage === 'reversed') return this.#arrive(id, flag, { taken: payment.parts - parts, handedOver: again });
    const back = { paymentId: id, from: CUSTODY[payment.unit as Coin], handedOver: again, parts: left };
    this.#take('arrive', this.steps.comeBack(this.invoice, back));
    this.model.comeBack(
      id,
      again.map((one) => one.parts - one.taken),
      parts,
      left,
    );
  }

  #settleAgain(known: InvoicePayment, parts: bigint, own: bigint, again: readonly HandedOver[]): void {
    const from = CUSTODY[known.unit as Coin];
    const debt = this.#debtOf(known);
    const payment = { ...known, ...this.#reported(known.id, 'final').payment };
    this.#take('arrive', settleAgain(this.invoice, { payment, from, handedOver: again, parts: own, debt }));
    const given = again.map((one) => one.parts - one.taken);
    this.model.settleAgain(known.id, given, parts, own);
  }

  #debtOf({ unsettled }: InvoicePayment): bigint {
    return this.shown(accounts.receivable('business_business', (unsettled?.booked.unit ?? 'USDT') as Coin));
  }

  // --- decisions of the desk about held payments

  /** The desk releases a held payment. */
  release(id: string): boolean {
    const [payment, free] = [this.#payment(id), this.#freeCents];
    if (payment?.unsettled) {
      const own = ownOf(payment);
      const step = this.steps.releaseSettled(this.invoice, id, this.#debtOf(payment));
      return this.#timer('clear', step, () => this.model.settleHeld(id, own));
    }
    const step = this.steps.release(this.invoice, id, { keepRate: KEEP * 60_000, context: this.#context() });
    return this.#timer('clear', step, () => this.model.release(id, { now: this.now, hasPrice: this.hasPrice, free }));
  }

  refuse(id: string): boolean {
    return this.#timer('refuse', this.steps.refuse(this.invoice, id), () => this.model.refuse(id));
  }

  askPapers(id: string): boolean {
    return this.#timer('papers', this.steps.notePapers(this.invoice, id, 'asked'), () => this.model.askPapers(id));
  }

  /** The time of holds is over. */
  holdOver(): boolean {
    return this.#timer('hold_over', this.steps.holdOver(this.invoice, this.#time), () => this.model.holdOver(this.now));
  }

  /** The store marks the invoice. */
  mark(as: InvoiceMark): boolean {
    return this.#timer('mark', this.steps.mark(this.invoice, as), () => this.model.putMark(as));
  }

  #changeGiven(
    { handedOver: given = [], unit }: InvoicePayment,
    parts: bigint,
    amountOf: (one: HandedOver) => bigint,
    sign: 1n | -1n,
  ): { readonly left: bigint; readonly again: readonly HandedOver[] } {
    let left = parts;
    const again = given.toReversed().map((one) => {
      const due = min(left, amountOf(one));
      left -= due;
      const [own, custody] = [accounts.unallocated(one.orderId, unit), CUSTODY[unit as Coin]];
      if (sign === 1n) this.#post(takeFromCustody([[own, due]], { place: custody, rail: 'rail', held: this.shown(custody) }));
      else if (due > 0n) this.#post([{ from: custody, to: own, parts: due }]);
      return { ...one, taken: one.taken + sign * due };
    });
    return { left, again: again.toReversed() };
  }

  /** Fires a timer. Returns false if it is not due. */
  timer(name: 'miss' | 'price' | 'time_over'): boolean {
    if (name === 'miss') return this.#timer(name, this.steps.miss(this.invoice, this.#time), () => this.model.miss(this.now));
    if (name === 'time_over')
      return this.#timer(name, this.steps.timeOver(this.invoice, this.#time), () => this.model.timeOver(this.now));
    const free = this.#freeCents;
    return this.#timer(name, this.steps.price(this.invoice, this.#context()), () => this.model.price(this.hasPrice, free));
  }

  #timer(event: InvoiceEvent, step: InvoiceStep | undefined, follow: () => void): boolean {
    if (!step) return false;
    this.#take(event, step);
    follow();
    return true;
  }

  /** A member accepts a short invoice, or gives it back; or the store's preset does. */
  accept(): boolean {
    return this.#timer('accept', this.steps.accept(this.invoice), () => this.model.accept());
  }

  giveBack(): boolean {
    const free = this.#coins;
    const step = this.steps.giveBack(this.invoice, this.#context());
    return this.#timer('give_back', step, () => this.model.giveBack(this.hasPrice, free));
  }

  decideByPreset(): boolean {
    if (this.model.state !== 'short' || this.model.pending > 0n) return false;
    const free = this.#coins;
    const step = this.steps.decideByPreset(this.invoice, this.#context());
    return this.#timer('decide', step, () => this.model.giveBack(this.hasPrice, free));
  }

  returnCoins(): boolean {
    const free = this.#coins;
    const step = this.steps.returnCoins(this.invoice, this.#context());
    return this.#timer('return', step, () => this.model.returnCoins(this.hasPrice, free));
  }

  /** A member accepts the late payments of an invoice that has ended; their payers give them up. */
  acceptLate(): boolean {
    const late = decisions.lateOf(this.invoice);
    if (late.length !== this.model.late.length && ['expired', 'cancelled', 'invalid'].includes(this.model.state))
      throw new Fault(`${late.length} payments are late, and should be ${this.model.late.length}`);
    if (late.length === 0 || (!this.hasPrice && late.some(({ unit }) => unit !== 'USDT'))) return false;
    const free = this.#freeCents;
    for (const { orderId, unit, parts } of late)
      this.#post([{ from: accounts.unallocated(orderId, unit), to: accounts.invoiceIn('invoice', unit), parts }]);
    const step = this.steps.acceptLate(this.invoice, late, this.#context());
    if (this.model.acceptLate(this.hasPrice, free) !== (step !== undefined)) throw new Fault('a late payment is refused');
    return this.#timer('accept', step, () => undefined);
  }

  cancel(): boolean {
    return this.#timer('cancel', this.steps.cancel(this.invoice), () => this.model.cancel());
  }

  /** The store's balance moves to the wallet of its owner. */
  moveOut(): boolean {
    const parts = this.shown(MERCHANT.USDT);
    if (parts <= 0n) return false;
    this.#post([{ from: MERCHANT.USDT, to: WALLET, parts }]);
    this.moved += parts;
    return true;
  }

  /** The desk pays its free bitcoin out to somebody. */
  spend(): boolean {
    const parts = this.shown(FREE.BTC);
    if (parts <= 0n) return false;
    this.#post([{ from: FREE.BTC, to: CUSTODY.BTC, parts }]);
    this.spent += parts;
    return true;
  }
}
