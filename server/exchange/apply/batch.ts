// A batch: events of locked orders, decided one after the other and written together.
//
// Deciding is pure. The batch collects the results: changed orders, timeline rows, payouts, limits, letters and one journal per
// order. `commit` writes all of them with statements for the whole batch, and posts last. If a journal is refused, the whole
// batch is abandoned. The caller then tries smaller batches, until the faulty event is alone.

import { randomBytes } from 'node:crypto';
import type { ProblemCode } from '@kurs/contract';
import { orderNumber } from '@kurs/money';
import type { UnitOfWork } from '../../collecting/index.ts';
import { moveUses } from '../../coupons/index.ts';
import { type Settlement, customerOf, settle } from '../../compliance/index.ts';
import type { Journal, Leg } from '../../ledger/index.ts';
import { type RequestPayout, dropRequests, isPrepared, requestPayouts, watchClosely } from '../../payments/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet } from '../../moneyout/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { type DeskState, DeskNotRead, isLetOut } from './desk-state.ts';
import type { Context, Effect, OrderEvent, Refused } from '../order/events/events.ts';
import { type LetterKind, letterOf, situationOf } from '../letters/letter-kind.ts';
import { type Sender, type WantedLetter, lettersOfToday, lettersWith, queueAbout, wantedLetters } from '../letters/letters.ts';
import { type Outcome, decide } from '../machine/machine.ts';
import { type OrderView, TAKES_PAYMENTS, type Transfer } from '../order/order.ts';
import { movedUses } from '../order/money/order-coupons.ts';
import { requireAsStored, reportAltered } from '../order/store/order-mac.ts';
import { hasNoName } from '../order/store/owner.ts';
import { type OrderEventRow, type StoredOrder, addEvents, insertOrders, saveOrders } from '../order/store/order-store.ts';
import { OrdersOfBatch } from './orders-of-batch.ts';
import { amountDue } from '../wire/order-wire.ts';
import { pauseDue } from './paused-payouts.ts';
import { type Happened, eventsOfOrders, happenedTo } from './events-of-orders.ts';
import { couponsOfLate } from './late-orders.ts';
import { countTurnoverOf } from './turnover-of-orders.ts';
import { KIND_OF, intoWallet, payoutMoney, walletOf } from '../machine/postings.ts';
import { noteOrderDebts } from './debts-of-orders.ts';
import { promisedSeconds } from '../calculation/promised-time.ts';
import { orderFromUnallocated, unallocatedOf } from '../machine/derived-orders.ts';
import { rules, settings } from '../machine/settings.ts';
import { deadlineOf, nextPollAt } from '../machine/timers.ts';

/** Actor of an event, with the reason and details for the timeline. */
export interface By {
  /** Actor's letter as in the machine's table, followed by the names of the people who act (`O olga`). */
  readonly who: string;
  /** Name of the event in the timeline, as the payments room calls it. Absent if the machine's name is used. */
  readonly as?: string;
  readonly why?: string;
  /** Details shown in the timeline. */
  readonly body?: Readonly<Record<string, string>>;
}

interface OpenJournal {
  readonly id: string;
  readonly cause: string;
  kind: Journal['kind'];
  readonly legs: Leg[];
}

export class Batch {
  readonly #unit: UnitOfWork;
  readonly #tx: Tx;
  readonly #desk: DeskState;
  readonly #sender: Sender;
  readonly #orders = new OrdersOfBatch();
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #events: OrderEventRow[] = [];
  readonly #happened: Happened[] = [];
  readonly #journals = new Map<string, OpenJournal>();
  /**
   * By order: id of the cause in whose journal the order's legs are posted. The legs of a derived order go into the journal of
   * the event that created that order.
   */
  readonly #journalOf = new Map<string, string>();
  /** Unit of work that posts an order's journal, by order. Only for orders that the members of a group place. */
  readonly #unitOf = new Map<string, UnitOfWork>();
  /** Payouts that this batch has requested, by intent: the worker doesn't see them before the commit. */
  readonly #payouts = new Map<string, RequestPayout>();
  /** Legs of transfers into wallets, by order. No rail carries such a transfer. */
  readonly #inside = new Map<string, readonly Leg[]>();
  /** Versions of the orders when they were locked. */
  readonly #versions = new Map<string, number>();
  /** The orders at the moment when they were locked or created. */
  readonly #before = new Map<string, OrderView>();
  /** Debts of the orders when they were locked. */
  readonly #owed = new Map<string, bigint>();
  readonly #settlements = new Map<string, Settlement['outcome']>();
  /** Wallets that receive money. An event reports each wallet, so that the wallets room opens missing ones. */
  readonly #opened: { readonly holder: string; readonly unit: string }[] = [];
  /** Ended orders whose payment is no longer expected: the provider's payment requests are dropped. */
  readonly #unwanted = new Set<string>();
  /** Time until which the rest of an order's payment may still arrive, by order. */
  readonly #awaited = new Map<string, Date>();
  /** Queued letters, each with its order as of the letter's event: later events of this batch don't affect the letter. */
  readonly #letters: WantedLetter[] = [];

  constructor(unit: UnitOfWork, desk: DeskState, sender: Sender, orders: readonly StoredOrder[]) {
    this.#unit = unit;
    this.#tx = unit.tx;
    this.#desk = desk;
    this.#sender = sender;
    for (const order of orders) {
      this.#orders.set(order.view.id, order);
      this.#versions.set(order.view.id, order.view.version);
      this.#before.set(order.view.id, order.view);
      this.#owed.set(order.view.id, order.view.positions.receivable);
    }
  }

  /** Returns an order as changed by this batch so far. Throws if the order isn't part of the batch. */
  order(id: string): StoredOrder {
    const order = this.#orders.get(id);
    if (!order) throw new Error(`Order ${id} is not part of this batch`);
    return order;
  }

  /** Returns the batch's orders that have a payment, or had it during this batch: locked orders by age, then new ones. */
  withPayment(payin: string): readonly StoredOrder[] {
    return this.#orders.withPayment(payin);
  }

  /** True if an order is part of this batch. */
  has(id: string): boolean {
    return this.#orders.has(id);
  }

  /** Decides an event and collects its results. `given`: parts of the machine's context that `DeskState` doesn't know. */
  decide(id: string, event: OrderEvent, by: By, given: Partial<Context> = {}): Outcome | Refused {
    const order = this.order(id);
    const outcome = decide(order.view, event, this.#desk.context(order, given));
    if (outcome.refused === undefined) this.#keep(order, outcome, by);
    return outcome;
  }

  /** Like `decide`, but first reads the desk's money if the event needs it. Most events don't need it. */
  async decideReading(id: string, event: OrderEvent, by: By, given: Partial<Context> = {}): Promise<Outcome | Refused> {
    try {
      return this.decide(id, event, by, given);
    } catch (error) {
      // Deciding is pure and stores nothing before it ends, so it can simply be repeated.
      if (!(error instanceof DeskNotRead)) throw error;
      await this.readDesk();
      return this.decide(id, event, by, given);
    }
  }

  /** Reads the desk's money, unless that was done already. */
  readDesk(): Promise<void> {
    return this.#desk.read(this.#tx, [...this.#orders.values()]);
  }

  /** Withdraws a payout that this batch has requested. Returns false if this batch hasn't requested it. */
  withdrawPayout(intent: string): boolean {
    return this.#payouts.delete(intent);
  }

  /** Changes an order's facts without an event of the machine: the state stays, and the timeline gets a row. */
  note(id: string, event: string, change: (view: OrderView) => OrderView, by: By): void {
    const order = this.order(id);
    const view = { ...change(order.view), version: order.view.version + 1 };
    this.#put({ ...order, view });
    this.#addEvent(view, event, order.view.state, by);
  }

  /** Changes an order without an event, for example by making an offer. */
  revise(id: string, change: (view: OrderView) => OrderView): void {
    const order = this.order(id);
    this.#put({ ...order, view: change(order.view) });
  }

  /** Returns the machine's current context for an order. */
  context(id: string, given: Partial<Context> = {}): Context {
    return this.#desk.context(this.order(id), given);
  }

  /** Adds an order that a member of a group places: the member's unit of work posts its journal. */
  place(order: StoredOrder, promise: readonly Leg[], unit: UnitOfWork): void {
    this.#unitOf.set(order.view.id, unit);
    this.create(order, 'placed', promise, { who: 'C' });
  }

  /** Adds a new order with its first timeline row and its legs, which are posted with the journal of `journalOf`. */
  create(order: StoredOrder, event: string, legs: readonly Leg[], by: By, journalOf = order.view.id): void {
    const { view } = order;
    this.#created.add(view.id);
    this.#before.set(view.id, view);
    this.#put(order);
    this.#journalOf.set(view.id, journalOf);
    const row = this.#addEvent(view, event, view.state, by);
    if (event === 'placed') this.#happened.push({ kind: 'order.placed', order: this.order(view.id) });
    this.#addLegs(view, row.id, event === 'placed' ? 'reserve' : 'unallocated', legs);
  }

  /** Queues a letter, unless the order's row was altered. Each kind of letter is sent once per order, or once for each value of `once`. */
  letter(id: string, kind: LetterKind, once = ''): void {
    const order = this.order(id);
    if (order.isAltered) reportAltered(order);
    else this.#letters.push({ order, kind, once });
  }

  /** Reports an order's outcome to compliance. */
  settle(id: string, outcome: Settlement['outcome']): void {
    this.#settlements.set(id, outcome);
  }

  /**
   * Writes everything and commits the unit of work; nothing may follow in the transaction. Throws `order_changed`. If a limit of
   * the ledger refuses the posting, throws the problem `refused`, or `JournalRefused` if `refused` is missing.
   */
  async commit(refused?: ProblemCode): Promise<void> {
    await this.save(refused);
    await this.#unit.commit();
  }

  /** Writes everything except the postings and events that the unit of work collects: its `commit` writes those. */
  async save(refused?: ProblemCode): Promise<void> {
    const tx = this.#tx;
    const of = (ids: Iterable<string>): StoredOrder[] => [...ids].map((id) => this.order(id));
    insertOrders(tx, of(this.#created));
    addEvents(tx, this.#events);
    await saveOrders(tx, of([...this.#changed].filter((id) => !this.#created.has(id)).sort()), this.#versions);
    await this.#desk.save(tx);
    const moved = [...this.#before].flatMap(([id, view]) => movedUses(view, this.order(id).view));
    const backToPots = await moveUses(tx, moved);
    this.#unit.publish(...(await eventsOfOrders(tx, this.#happened)));
    await countTurnoverOf(tx, this.#happened);
    const given = await couponsOfLate(this.#unit, this.#happened);
    await noteOrderDebts(
      tx,
      of([...this.#owed.keys()].sort()).filter(({ view }) => this.#owed.get(view.id) !== view.positions.receivable),
    );
    const settlements = [...this.#settlements].map(([id, outcome]) => ({ owner: { kind: 'order', id }, outcome }));
    await settle(tx, settlements);
    await requestPayouts(tx, [...this.#payouts.values()]);
    this.#unit.publish(
      ...this.#opened.map(({ holder, unit }) => ({
        ...{ id: newId(), kind: INTO_WALLET_EVENT, subject: `wallet:${holder}` },
        body: { holderId: holder, unit } satisfies IntoWallet,
      })),
    );
    for (const id of this.#unwanted) await dropRequests(tx, { kind: 'order', id });
    for (const [id, until] of this.#awaited) await watchClosely(tx, { kind: 'order', id }, until);
    if (settings.get('exchange.mails')) {
      const wanted = await wantedLetters(tx, this.#letters);
      const due = wanted.filter(({ order, kind }) => kind !== 'needs_you' || !this.#isSettled(order));
      await queueAbout(tx, this.#sender, ...(await lettersOfToday(tx, lettersWith(due, given))));
    }
    for (const [of, journal] of this.#journals) (this.#unitOf.get(of) ?? this.#unit).post(journal, refused);
    // These journals move sums from coupons back to pots. The orders' own journals, posted above, have returned the sums to the
    // coupons.
    for (const journal of backToPots) this.#unit.post(journal);
  }

  /** True if a later event of this batch has answered the question that the customer would get in a letter. */
  #isSettled({ view }: StoredOrder): boolean {
    return situationOf(view) !== situationOf(this.order(view.id).view);
  }

  #put(order: StoredOrder): void {
    const { view } = order;
    const { dueAt: _, ...rest } = order;
    const due = nextPollAt(view, rules()) ?? pauseDue(view);
    const ended = view.state === 'completed' && !order.finishedAt ? { finishedAt: this.#tx.now } : {};
    this.#orders.set(view.id, { ...rest, ...ended, updatedAt: this.#tx.now, ...(due && { dueAt: due }) });
    this.#changed.add(view.id);
  }

  #keep(order: StoredOrder, outcome: Outcome, by: By): void {
    const { next, from, postings, effects, row } = outcome;
    this.#put({ ...order, view: next });
    const legs = postings.flatMap((posting) => posting.legs);
    const event = this.#addEvent(next, by.as ?? row.event, from, by);
    this.#happened.push(...happenedTo(order, this.order(next.id), outcome));
    const last = postings.findLast((posting) => posting.legs.length > 0);
    if (last) this.#addLegs(next, event.id, KIND_OF[last.name], legs);
    for (const effect of effects) this.#effect(next, effect);
    this.#follow(order.view, outcome);
    this.#payIntoWallet(next.id);
  }

  /** Completes a payout into a wallet: its money arrives with the posting, without a worker or a poll. */
  #payIntoWallet(id: string): void {
    const legs = this.#inside.get(id);
    if (!legs) return;
    this.#inside.delete(id);
    this.#addLegs(this.order(id).view, newId(), 'sent', legs);
    this.note(id, 'send', (view) => view, { who: 'S' });
    for (const [type, as] of [
      ['transfer_sent', 'accepted'],
      ['transfer_final', 'transfer_final'],
    ] as const) {
      const { refused } = this.decide(id, { type }, { who: 'S', as });
      if (refused !== undefined) throw new Error(`What was to go into the wallet of order ${id} did not: ${refused}`);
    }
  }

  #addEvent(view: OrderView, event: string, from: string, { who, why = '', body = {} }: By): OrderEventRow {
    const row = {
      id: newId(),
      orderId: view.id,
      seq: view.version,
      at: this.#tx.now,
      who,
      event,
      from,
      to: view.state,
      why,
      body,
    };
    this.#events.push(row);
    return row;
  }

  #addLegs(view: OrderView, eventId: string, kind: Journal['kind'], legs: readonly Leg[]): void {
    if (legs.length === 0) return;
    this.#desk.posted(view, legs);
    const key = this.#journalOf.get(view.id) ?? view.id;
    const journal = this.#journals.get(key) ?? { id: eventId, cause: key, kind, legs: [] };
    journal.kind = kind;
    journal.legs.push(...legs);
    this.#journals.set(key, journal);
  }

  #effect(view: OrderView, effect: Effect): void {
    if (effect.do === 'request_payout') {
      requireAsStored(this.order(view.id));
      const { transfer, account } = effect;
      const request = payoutMoney(view, transfer);
      const holder = walletOf(view, transfer.kind);
      if (holder !== undefined) {
        this.#inside.set(view.id, intoWallet(view, transfer, holder));
        this.#opened.push({ holder, unit: request.unit });
        return;
      }
      // A payout that people approved is not included in the totals of automatic payouts. Ending a hold is no approval.
      if (!isLetOut(view, transfer)) this.#desk.letOut(this.order(view.id), transfer);
      const owner = { kind: 'order', id: view.id } as const;
      const { email, device, holderId } = this.order(view.id);
      const own = holderId === undefined ? undefined : { id: holderId };
      const customer = hasNoName({ email, holderId }) ? `order ${view.id}` : customerOf({ email, device, holder: own });
      this.#payouts.set(transfer.intent, { ...request, owner, customer, to: account.fields, purpose: transfer.kind });
      return;
    }
    const parent = this.order(view.id);
    if (effect.do === 'open_unallocated') {
      this.openUnallocated(unallocatedOf(parent, effect, newNumber(), this.#tx.now), [], parent);
      return;
    }
    const promised = { seconds: promisedSeconds(view.give.currency, view.get?.currency ?? '') };
    const order = orderFromUnallocated(parent, effect, newNumber(), this.#tx.now, promised);
    this.#desk.inherit(order.view.id, view.id);
    this.create(order, 'placed', [], { who: 'C', body: { from: parent.number } }, this.#journalOf.get(view.id) ?? view.id);
    this.letter(order.view.id, 'placed');
    const outcome = this.decide(
      order.view.id,
      { type: 'choose_continue', offer: effect.offer.number },
      { who: 'C' },
      { allows: () => true },
    );
    if (outcome.refused)
      throw new Error(`The new order of unallocated payment ${parent.number} did not go on: ${outcome.refused}`);
  }

  /**
   * Adds an unallocated payment, from another order's payment or without any order. Its customer gets a letter with the choices,
   * or with the news that people check the payment.
   */
  openUnallocated(unallocated: StoredOrder, legs: readonly Leg[] = [], parent?: StoredOrder): void {
    const by = { who: 'R', body: parent ? { from: parent.number } : {} };
    this.create(unallocated, 'unallocated', legs, by, parent && (this.#journalOf.get(parent.view.id) ?? parent.view.id));
    if (unallocated.view.state === 'choosing') this.letter(unallocated.view.id, 'needs_you', 'choosing');
    else this.letter(unallocated.view.id, 'checking');
  }

  /** Handles the effects of an event besides postings: totals of automatic payouts, watched addresses, limits and letters. */
  #follow(before: OrderView, { row, next }: Outcome): void {
    const { id, kind } = next;
    const out = outOf(before);
    if (out && out.intent !== outOf(next)?.intent) this.#desk.cameBack(out);
    const hasEnded = next.state === 'cancelled' || next.state === 'expired';
    if (hasEnded && before.state !== next.state && isPrepared(next.give.currency)) this.#unwanted.add(id);
    const awaited = awaitedUntil(before, next, this.#tx.now);
    if (awaited) this.#awaited.set(id, awaited);
    const settled = settlementOf(before, next);
    // Limits include an unallocated payment only through offers that its customer has accepted.
    if (settled && (kind === 'order' || settled === 'ended')) this.settle(id, settled);
    const letter = letterOf(before, next, row.event, this.#tx.now);
    if (letter) this.letter(id, letter.kind, letter.once);
  }
}

/** Returns the order's transfer that is on its way, or that was sent last and has not come back. */
const outOf = ({ facts }: OrderView): Transfer | undefined => facts.transfer ?? facts.sent;

/** Returns a random readable number for an order. The database refuses a number that another order has. */
export const newNumber = (): string => orderNumber(randomBytes(5));

/** Returns the outcome of an order that compliance needs for limits and for unpaid orders; undefined if the event brings none. */
function settlementOf(before: OrderView, next: OrderView): Settlement['outcome'] | undefined {
  if (before.state !== next.state) {
    if (next.state === 'expired' || next.state === 'cancelled' || next.state === 'completed') return next.state;
    if (next.state === 'refunded' || next.state === 'reversed' || next.state === 'surrendered') return 'ended';
  }
  const arrived = before.positions.in === 0n && before.facts.exchange === undefined;
  return arrived && (next.positions.in > 0n || (next.facts.exchange && !before.facts.transfer)) ? 'paid' : undefined;
}

/**
 * Returns the time until which the receiving address is watched closely; undefined if an event doesn't change that time. A
 * customer who has to choose may also pay the rest.
 */
function awaitedUntil(before: OrderView, next: OrderView, now: Date): Date | undefined {
  if (before.state === next.state) return undefined;
  if (next.state === 'choosing') return amountDue(next, now) > 0n ? deadlineOf(next, rules()) : undefined;
  return before.state === 'choosing' && !TAKES_PAYMENTS.has(next.state) ? now : undefined;
}
