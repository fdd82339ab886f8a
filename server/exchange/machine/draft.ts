import { cutFromLatest, sumOf } from '../../collecting/index.ts';
import type { PayoutHappening, Returned } from '../../payments/index.ts';
import { exchangeOf } from '../order/money/breakdown.ts';
import { heldBy, holdOf } from './derived-orders.ts';
import { couponsTaken } from '../order/money/order-coupons.ts';
import type {
  Approval,
  Facts,
  OrderState,
  OrderView,
  Payment,
  Price,
  RailAccount,
  SideAccount,
  Transfer,
} from '../order/order.ts';
import { RESTING, TAKES_ROUTE } from '../order/order.ts';
import { refundAfter, refundCostOf } from '../order/money/sent-back.ts';
import type { Context, Effect } from '../order/events/events.ts';
import * as postings from './postings.ts';
import { type Posting, applyLegs } from './postings.ts';

/**
 * An order while one event is applied, with the postings and effects collected so far. Each step changes a draft of its own, so
 * the decision stays pure.
 */
export class Draft {
  order: OrderView;
  readonly context: Context;
  readonly postings: Posting[] = [];
  readonly effects: Effect[] = [];

  constructor(order: OrderView, context: Context) {
    this.order = order;
    this.context = context;
  }

  /** Adds a posting, and updates the order's positions by its legs. A posting without legs is skipped. */
  post(posting: Posting, intent?: Transfer): void {
    if (posting.legs.length === 0) return;
    this.postings.push(posting);
    this.order = { ...this.order, positions: applyLegs(this.order, posting.legs, intent) };
  }

  /** Updates the order after the payments room has posted the outcome of its transfer. */
  follow(happening: PayoutHappening, back?: Returned): void {
    this.order = postings.followPayout(this.order, happening, back);
  }

  /** Sets facts of the order; a fact that is set to `undefined` is removed. */
  note(facts: Partial<{ [K in keyof Facts]: Facts[K] | undefined }>): void {
    this.order = { ...this.order, facts: { ...this.order.facts, ...facts } as Facts };
    if (facts.isLate) this.endCoupons();
  }

  /** Releases the uses of the order's coupons, if that was not done before. */
  private endCoupons(): void {
    const { pinned, facts } = this.order;
    if (pinned.coupons && !facts.hasEndedCoupons) this.order = { ...this.order, facts: { ...facts, hasEndedCoupons: true } };
  }

  /**
   * Enters a state. Facts that belong to the former state are removed: hold, approval, offer, and a waiting account that the new
   * state has no use for.
   */
  go(state: OrderState, facts: Partial<Facts> = {}): void {
    const { pending } = this.order.facts;
    const waitsOn = state === this.order.state || (pending?.event === 'give_route' && TAKES_ROUTE.has(state));
    if (!waitsOn) this.note({ pending: undefined });
    const { choiceSince = state === 'choosing' ? this.context.now : undefined } = this.order.facts;
    this.order = { ...this.order, state };
    if (RESTING.has(state)) this.endCoupons();
    this.note({
      since: this.context.now,
      // A customer who is asked again about the same payments gets no additional time.
      choiceSince: state === 'choosing' || state === 'seen' ? choiceSince : undefined,
      hold: undefined,
      approval: undefined,
      isStopped: undefined,
      hasOwnWait: undefined,
      offer: undefined,
      isAsked: false,
      ...facts,
    });
  }

  /** Reduces the order's debt by an amount that another order's posting has settled. */
  repaid(parts: bigint): void {
    const { positions, facts } = this.order;
    this.order = { ...this.order, positions: { ...positions, receivable: positions.receivable - parts } };
    this.note({ settled: (facts.settled ?? 0n) + parts });
  }

  /** Adds to the amount written off; a negative number takes off. */
  addLoss(parts: bigint): void {
    this.order = {
      ...this.order,
      positions: { ...this.order.positions, loss: this.order.positions.loss + parts },
    };
  }

  payments(payments: readonly Payment[]): void {
    this.order = { ...this.order, payments };
  }

  /** Adds a payment to the order, or replaces it. Refunds then go to the payment's source, unless the customer named another account. */
  arrives(payment: Payment): void {
    const others = this.order.payments.filter((one) => one.id !== payment.id || one.status === 'reversed');
    this.payments([...others, payment]);
    const refund = refundAfter(this.order, payment);
    if (refund) this.order = { ...this.order, refund };
  }

  /** Sets the account of the given side. */
  account({ side, ...account }: SideAccount): void {
    this.order = { ...this.order, ...(side === 'give' ? { refund: account } : { receive: account }) };
  }

  /** Releases the reserve and ends the locked rate. If the order was late already, its first reason stays. */
  becomeLate({ lateFor, ...facts }: Partial<Facts> = {}): void {
    const { facts: before } = this.order;
    this.post(postings.reserveRelease(this.order));
    this.note({ isLate: true, lateFor: before.isLate ? before.lateFor : lateFor, ...facts });
  }

  /** Reserves at least `parts` of the unit got for the order. Returns false if the desk can't promise that much. */
  reserve(parts: bigint): boolean {
    const lacking = parts - this.order.positions.reserve;
    if (lacking > this.context.free.get) return false;
    if (lacking > 0n) this.post(postings.reserve(this.order, lacking));
    return true;
  }

  /**
   * Exchanges the order at this price. The excess becomes an unallocated payment, and the payout is queued or waits for approval.
   * Returns false, without any change, if the desk can't reserve enough.
   */
  exchange(price: Price): boolean {
    if (!this.reserve(price.breakdown.get.parts)) return false;
    const coupons = couponsTaken(this.order, price, this.context.again);
    const booked = { ...exchangeOf(this.order, price), ...(coupons.length > 0 && { coupons }) };
    const { boughtBack, couponsRetained = [] } = this.order.facts;
    const retained = [...couponsRetained, ...(boughtBack?.exchange.coupons ?? [])];
    this.post(postings.exchange(this.order, booked));
    this.endCoupons();
    // The money of an earlier buy-back has been taken back since, so that buy-back is removed. The amounts that its exchange
    // took from coupons are not returned to the coupons.
    this.note({ exchange: booked, boughtBack: undefined, ...(retained.length > 0 && { couponsRetained: retained }) });
    this.post(postings.reserveRelease(this.order));
    this.moveExcess();
    const approval = this.context.approvalFor(booked.got);
    if (approval.people > 0 || approval.clearingUntil) this.waitFor(approval);
    else this.queuePayout();
    return true;
  }

  /** Moves the money that the exchange left in `order:in` to an unallocated payment. */
  private moveExcess(): void {
    this.splitOff(this.order.positions.in);
  }

  /** Moves `excess` out of the order to an unallocated payment, which gets parts of the latest payments. */
  splitOff(excess: bigint): void {
    if (excess === 0n) return;
    const id = this.context.newId();
    const { retained, cut } = cutFromLatest(this.order.payments, excess);
    this.post(postings.unallocated(this.order, id, excess, 'order:in'));
    this.payments(retained);
    const settled = excess - sumOf(cut);
    if (settled > 0n) this.note({ settled: (this.order.facts.settled ?? 0n) - settled });
    const held = heldBy(this.context.owes);
    this.effects.push({
      ...{ do: 'open_unallocated', id, pieces: cut },
      ...(settled > 0n && { settled }),
      ...(held && { held }),
    });
  }

  queuePayout(): void {
    const { receive, positions } = this.order;
    if (!receive) throw new Error(`${this.order.id} has no account to pay to`);
    this.send({ intent: this.context.newId(), kind: 'payout', parts: positions.out, cost: 0n }, receive, 'paying');
  }

  /**
   * Queues the payout of the exchanged amount, or waits for approval if more people are needed now than have approved the payout.
   * `people`: number of people who approve the payout by this event.
   */
  letOut(people = 0): void {
    const approved = Math.max(this.order.facts.approved ?? 0, people);
    const { clearingUntil: _, ...approval } = this.context.approvalFor(this.order.positions.out);
    if (approved > 0) this.note({ approved });
    if (approval.people > approved) return this.waitFor(approval);
    this.queuePayout();
  }

  /** Makes the order wait for people's approval, or for the end of a clearing period. */
  waitFor({ isOwn, ...approval }: Approval, facts: Partial<Facts> = {}): void {
    this.go('approving', { approval, ...(isOwn && { hasOwnWait: true }), ...facts });
  }

  /**
   * Queues a refund and ends the locked rate. `isByPeople`: people decided the refund, so debts of the customer that exist now
   * don't stop it.
   */
  queueRefund(isByPeople = false): void {
    this.note({ isLate: true });
    const { refund, positions } = this.order;
    if (!refund) throw new Error(`${this.order.id} has no account to refund to`);
    const cost = refundCostOf(this.order);
    const transfer = { intent: this.context.newId(), kind: 'refund', parts: positions.in - cost, cost } as const;
    this.send({ ...transfer, ...(isByPeople && { isByPeople }) }, refund, 'refunding');
  }

  private send(transfer: Transfer, account: RailAccount, state: 'paying' | 'refunding'): void {
    this.post(postings.transferIntent(this.order, transfer), transfer);
    this.go(state, { transfer });
    this.effects.push({ do: 'request_payout', transfer, account });
  }

  /** Holds the order of a debtor or a blocked customer, and ends the locked rate. People decide about the order; no timer ends the hold. */
  holdForPeople(held: 'debt' | 'hard'): void {
    this.becomeLate({ lateFor: 'checked' });
    this.go('holding', { hold: holdOf(held, this.context.now) });
  }

  /** Holds the order. `hard`: until a person decides. `soft`: for papers or limits, with a time limit. */
  hold(cause: 'soft' | 'hard'): void {
    this.go('holding', { hold: holdOf(cause, this.context.now) });
  }

  /**
   * Stores that papers of a held order were requested or received, and releases the reserve. From then on, the locked rate
   * survives only a short hold.
   */
  papers(papers: 'asked' | 'came'): void {
    const { hold } = this.order.facts;
    if (!hold) throw new Error(`${this.order.id} is not held`);
    this.post(postings.reserveRelease(this.order));
    this.note({ hold: { ...hold, papers } });
  }
}
