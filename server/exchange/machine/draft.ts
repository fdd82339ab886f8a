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
 * One event in the making: the order as it becomes, with the postings and effects collected on the way. A step works on
 * a draft of its own and nobody else sees it, so deciding stays pure.
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

  /** Books a posting: its legs move the order's positions. A posting without legs is none. */
  post(posting: Posting, intent?: Transfer): void {
    if (posting.legs.length === 0) return;
    this.postings.push(posting);
    this.order = { ...this.order, positions: applyLegs(this.order, posting.legs, intent) };
  }

  /** Payments has posted what became of what it sends: its positions follow. */
  follow(happening: PayoutHappening, back?: Returned): void {
    this.order = postings.followPayout(this.order, happening, back);
  }

  /** Notes facts about the money; `undefined` forgets one. */
  note(facts: Partial<{ [K in keyof Facts]: Facts[K] | undefined }>): void {
    this.order = { ...this.order, facts: { ...this.order.facts, ...facts } as Facts };
    if (facts.late) this.endCoupons();
  }

  /** Uses of coupons are held for it no more: it was exchanged, or it is late or over. */
  private endCoupons(): void {
    const { pinned, facts } = this.order;
    if (pinned.coupons && !facts.couponsDone) this.order = { ...this.order, facts: { ...facts, couponsDone: true } };
  }

  /** Goes to a state; what belonged to the former one (hold, approval, offer, an account that waits) ends. */
  go(state: OrderState, facts: Partial<Facts> = {}): void {
    const { pending } = this.order.facts;
    const waitsOn = state === this.order.state || (pending?.event === 'give_route' && TAKES_ROUTE.has(state));
    if (!waitsOn) this.note({ pending: undefined });
    const { choiceSince = state === 'choosing' ? this.context.now : undefined } = this.order.facts;
    this.order = { ...this.order, state };
    if (RESTING.has(state)) this.endCoupons();
    this.note({
      since: this.context.now,
      // Asked again about the same money they have no more time for it.
      choiceSince: state === 'choosing' || state === 'seen' ? choiceSince : undefined,
      hold: undefined,
      approval: undefined,
      stopped: undefined,
      ownWait: undefined,
      offer: undefined,
      asked: false,
      ...facts,
    });
  }

  /** So much less is owed: another order's posting has settled it. */
  repaid(parts: bigint): void {
    const { positions, facts } = this.order;
    this.order = { ...this.order, positions: { ...positions, receivable: positions.receivable - parts } };
    this.note({ settled: (facts.settled ?? 0n) + parts });
  }

  /** What was written off, more or less. */
  addLoss(parts: bigint): void {
    this.order = {
      ...this.order,
      positions: { ...this.order.positions, loss: this.order.positions.loss + parts },
    };
  }

  payments(payments: readonly Payment[]): void {
    this.order = { ...this.order, payments };
  }

  /** A payment that is there: where it came from is where a refund goes, unless the customer said otherwise. */
  arrives(payment: Payment): void {
    const others = this.order.payments.filter((one) => one.id !== payment.id || one.standing === 'reversed');
    this.payments([...others, payment]);
    const refund = refundAfter(this.order, payment);
    if (refund) this.order = { ...this.order, refund };
  }

  /** An account becomes the one of its own side. */
  account({ side, ...account }: SideAccount): void {
    this.order = { ...this.order, ...(side === 'give' ? { refund: account } : { receive: account }) };
  }

  /** The reserve goes back and the rate is gone. What ended it first stays its cause. */
  becomeLate({ lateFor, ...facts }: Partial<Facts> = {}): void {
    const { facts: before } = this.order;
    this.post(postings.reserveRelease(this.order));
    this.note({ late: true, lateFor: before.late ? before.lateFor : lateFor, ...facts });
  }

  /** Holds at least `parts` of the unit got for the order. False where the desk can't promise that much. */
  reserve(parts: bigint): boolean {
    const lacking = parts - this.order.positions.reserve;
    if (lacking > this.context.free.get) return false;
    if (lacking > 0n) this.post(postings.reserve(this.order, lacking));
    return true;
  }

  /**
   * The order goes on: it is exchanged at this price, what exceeds becomes an unallocated payment, and the payout is queued or
   * waits for approval. False, with nothing done, where the reserve doesn't allow it.
   */
  exchange(price: Price): boolean {
    if (!this.reserve(price.breakdown.get.parts)) return false;
    const coupons = couponsTaken(this.order, price, this.context.again);
    const booked = { ...exchangeOf(this.order, price), ...(coupons.length > 0 && { coupons }) };
    const { boughtBack, couponsKept = [] } = this.order.facts;
    const kept = [...couponsKept, ...(boughtBack?.exchange.coupons ?? [])];
    this.post(postings.exchange(this.order, booked));
    this.endCoupons();
    // What was bought back before is of money that was taken away: it is stated no more. What it took of coupons stays taken.
    this.note({ exchange: booked, boughtBack: undefined, ...(kept.length > 0 && { couponsKept: kept }) });
    this.post(postings.reserveRelease(this.order));
    this.moveExcess();
    const approval = this.context.approvalFor(booked.got);
    if (approval.people > 0 || approval.clearingUntil) this.waitFor(approval);
    else this.queuePayout();
    return true;
  }

  /** What is still in `order:in` after the exchange is nobody's order: an unallocated payment, of the latest payments. */
  private moveExcess(): void {
    this.splitOff(this.order.positions.in);
  }

  /** So much of what is in leaves as an unallocated payment, of the latest payments. */
  splitOff(excess: bigint): void {
    if (excess === 0n) return;
    const id = this.context.newId();
    const { kept, cut } = cutFromLatest(this.order.payments, excess);
    this.post(postings.unallocated(this.order, id, excess, 'order:in'));
    this.payments(kept);
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
   * What was exchanged is sent, or waits for people where it takes more now than have let it out. `people`: so many want it
   * sent now.
   */
  letOut(people = 0): void {
    const approved = Math.max(this.order.facts.approved ?? 0, people);
    const { clearingUntil: _, ...approval } = this.context.approvalFor(this.order.positions.out);
    if (approved > 0) this.note({ approved });
    if (approval.people > approved) return this.waitFor(approval);
    this.queuePayout();
  }

  /** It waits for people, or until what can be taken back has cleared. */
  waitFor({ isOwn, ...approval }: Approval, facts: Partial<Facts> = {}): void {
    this.go('approving', { approval, ...(isOwn && { ownWait: true }), ...facts });
  }

  /** Anyone who decided it: with a refund the locked rate is gone. `byPeople`: what its customer owes by now doesn't stop it. */
  queueRefund(byPeople = false): void {
    this.note({ late: true });
    const { refund, positions } = this.order;
    if (!refund) throw new Error(`${this.order.id} has no account to refund to`);
    const cost = refundCostOf(this.order);
    const transfer = { intent: this.context.newId(), kind: 'refund', parts: positions.in - cost, cost } as const;
    this.send({ ...transfer, ...(byPeople && { byPeople }) }, refund, 'refunding');
  }

  private send(transfer: Transfer, account: RailAccount, state: 'paying' | 'refunding'): void {
    this.post(postings.transferIntent(this.order, transfer), transfer);
    this.go(state, { transfer });
    this.effects.push({ do: 'request_payout', transfer, account });
  }

  /**
   * Its customer owes, or is blocked: people decide, and nothing ends that by itself. The time that its rate outlived is over.
   */
  holdForPeople(held: 'debt' | 'hard'): void {
    this.becomeLate({ lateFor: 'checked' });
    this.go('holding', { hold: holdOf(held, this.context.now) });
  }

  /** Waits for a person, or for papers. */
  hold(cause: 'soft' | 'hard'): void {
    this.go('holding', { hold: holdOf(cause, this.context.now) });
  }

  /** Papers of a held order: from now on its locked rate outlives only a brief hold, so the reserve goes back. */
  papers(papers: 'asked' | 'came'): void {
    const { hold } = this.order.facts;
    if (!hold) throw new Error(`${this.order.id} is not held`);
    this.post(postings.reserveRelease(this.order));
    this.note({ hold: { ...hold, papers } });
  }
}
