// A batch: events of locked orders, decided one after the other and written together.
//
// Deciding is pure; what comes of it is collected here: changed orders, timeline rows, payouts, limits, letters and one
// journal per order. `commit` writes all of it set-based and posts last. A refused journal abandons the whole batch: a
// group is then halved by the caller it, until the culprit stands alone.

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
import { type Sender, type Wanted, lettersWith, queueAbout, wantedLetters } from '../letters/letters.ts';
import { type Outcome, decide } from '../machine/machine.ts';
import { type OrderView, TAKES_PAYMENTS, type Transfer } from '../order/order.ts';
import { movedUses } from '../order/money/order-coupons.ts';
import { requireAsKept, tellAltered } from '../order/store/order-mac.ts';
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
import { deadlineOf, nextLookAt } from '../machine/timers.ts';

/** Who made an event happen, and why. */
export interface By {
  /** A letter of the machine's table; for people with the name after it (`O olga`). */
  readonly who: string;
  /** What the timeline calls it, where that isn't the machine's event: as payments told it. */
  readonly as?: string;
  readonly why?: string;
  /** What the timeline shows beside it. */
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
  /** Whose journal an order's legs belong to: a derived order is posted with its event. */
  readonly #journalOf = new Map<string, string>();
  /** In a group of several who ask: whose unit of work posts the journal of an order. */
  readonly #unitOf = new Map<string, UnitOfWork>();
  /** By intent: the worker doesn't see what is requested here before the commit. */
  readonly #payouts = new Map<string, RequestPayout>();
  /** By order, what an intent that goes into a wallet brings there: no rail has to be asked. */
  readonly #inside = new Map<string, readonly Leg[]>();
  /** The versions that the orders were locked at. */
  readonly #versions = new Map<string, number>();
  /** The orders as they were locked, or made. */
  readonly #before = new Map<string, OrderView>();
  /** What was owed for the orders when they were locked. */
  readonly #owed = new Map<string, bigint>();
  readonly #settlements = new Map<string, Settlement['outcome']>();
  /** Wallets that something goes into: they are told of, and opened where they aren't. */
  readonly #opened: { readonly holder: string; readonly unit: string }[] = [];
  /** Orders whose payment nobody waits for any more. */
  readonly #unwanted = new Set<string>();
  /** By order: until when the rest of what it asks for may still come. */
  readonly #awaited = new Map<string, Date>();
  /** Each with its order as it stood then: what else happens in this batch is no part of it. */
  readonly #letters: Wanted[] = [];

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

  /** An order as it stands now in this batch. Throws for one that was not locked for it. */
  order(id: string): StoredOrder {
    const order = this.#orders.get(id);
    if (!order) throw new Error(`Order ${id} is not part of this batch`);
    return order;
  }

  /** The orders that have a payment, or had it in this batch, as they stand now: those that were locked, by age, then those made. */
  withPayment(payin: string): readonly StoredOrder[] {
    return this.#orders.withPayment(payin);
  }

  /** Whether an order was locked for this batch. */
  has(id: string): boolean {
    return this.#orders.has(id);
  }

  /** Decides an event and keeps what comes of it. `given` is what the desk alone can't tell the machine. */
  decide(id: string, event: OrderEvent, by: By, given: Partial<Context> = {}): Outcome | Refused {
    const order = this.order(id);
    const outcome = decide(order.view, event, this.#desk.context(order, given));
    if (outcome.refused === undefined) this.#keep(order, outcome, by);
    return outcome;
  }

  /** As `decide`, but reads the desk first where the machine asks for it: most events don't. */
  async decideReading(id: string, event: OrderEvent, by: By, given: Partial<Context> = {}): Promise<Outcome | Refused> {
    try {
      return this.decide(id, event, by, given);
    } catch (error) {
      // Deciding is pure, and nothing is kept before it ends: so it can begin again.
      if (!(error instanceof DeskNotRead)) throw error;
      await this.readDesk();
      return this.decide(id, event, by, given);
    }
  }

  /** Reads the desk, where that has not been done. */
  readDesk(): Promise<void> {
    return this.#desk.read(this.#tx, [...this.#orders.values()]);
  }

  /** Takes back a payout that was asked for in this very batch; false where it wasn't. */
  withdrawPayout(intent: string): boolean {
    return this.#payouts.delete(intent);
  }

  /** Changes facts beside the state, as a row of the timeline without a row of the machine. */
  note(id: string, event: string, change: (view: OrderView) => OrderView, by: By): void {
    const order = this.order(id);
    const view = { ...change(order.view), version: order.view.version + 1 };
    this.#put({ ...order, view });
    this.#addEvent(view, event, order.view.state, by);
  }

  /** Changes what is no event: an offer that is made. */
  revise(id: string, change: (view: OrderView) => OrderView): void {
    const order = this.order(id);
    this.#put({ ...order, view: change(order.view) });
  }

  /** What the machine would be told about an order now. */
  context(id: string, given: Partial<Context> = {}): Context {
    return this.#desk.context(this.order(id), given);
  }

  /** Puts an order into the batch that somebody of a group places: their unit of work posts its journal. */
  place(order: StoredOrder, promise: readonly Leg[], unit: UnitOfWork): void {
    this.#unitOf.set(order.view.id, unit);
    this.create(order, 'placed', promise, { who: 'C' });
  }

  /** Puts a new order into the batch with its first timeline row and legs, posted with `journalOf`'s journal. */
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

  /** Queues a letter, unless the order's row was altered; each kind goes once per order, `once` tells several of a kind apart. */
  letter(id: string, kind: LetterKind, once = ''): void {
    const order = this.order(id);
    if (order.isAltered) tellAltered(order);
    else this.#letters.push({ order, kind, once });
  }

  /** Tells compliance what became of an order. */
  settle(id: string, outcome: Settlement['outcome']): void {
    this.#settlements.set(id, outcome);
  }

  /**
   * Writes everything and commits the unit of work, the last thing that its transaction does. `refused`: the problem to throw
   * where the ledger's bounds refuse it, else `JournalRefused`. Throws `order_changed`, too.
   */
  async commit(refused?: ProblemCode): Promise<void> {
    await this.save(refused);
    await this.#unit.commit();
  }

  /** Writes everything but what its unit of work does last. */
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
      await queueAbout(tx, this.#sender, ...lettersWith(due, given));
    }
    for (const [of, journal] of this.#journals) (this.#unitOf.get(of) ?? this.#unit).post(journal, refused);
    // What orders gave back to their coupons stands there first.
    for (const journal of backToPots) this.#unit.post(journal);
  }

  /** What was asked of the customer has been answered in this very batch. */
  #isSettled({ view }: StoredOrder): boolean {
    return situationOf(view) !== situationOf(this.order(view.id).view);
  }

  #put(order: StoredOrder): void {
    const { view } = order;
    const { dueAt: _, ...rest } = order;
    const due = nextLookAt(view, rules()) ?? pauseDue(view);
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

  /** What goes into a wallet is there with the posting: no worker takes it and nobody has to look. */
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
      requireAsKept(this.order(view.id));
      const { transfer, account } = effect;
      const asked = payoutMoney(view, transfer);
      const holder = walletOf(view, transfer.kind);
      if (holder !== undefined) {
        this.#inside.set(view.id, intoWallet(view, transfer, holder));
        this.#opened.push({ holder, unit: asked.unit });
        return;
      }
      // What people let out doesn't leave by itself; to end a hold is not to let out.
      if (!isLetOut(view, transfer)) this.#desk.letOut(this.order(view.id), transfer);
      const owner = { kind: 'order', id: view.id } as const;
      const { email, device, holderId } = this.order(view.id);
      const customer = customerOf({ email, device, holder: holderId === undefined ? undefined : { id: holderId } });
      this.#payouts.set(transfer.intent, { ...asked, owner, customer, to: account.fields, purpose: transfer.kind });
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
   * An unallocated payment comes into being: beside the order whose address it was paid to, or without any. Its customer is
   * asked, or told that people look at it.
   */
  openUnallocated(unallocated: StoredOrder, legs: readonly Leg[] = [], parent?: StoredOrder): void {
    const by = { who: 'R', body: parent ? { from: parent.number } : {} };
    this.create(unallocated, 'unallocated', legs, by, parent && (this.#journalOf.get(parent.view.id) ?? parent.view.id));
    if (unallocated.view.state === 'choosing') this.letter(unallocated.view.id, 'needs_you', 'choosing');
    else this.letter(unallocated.view.id, 'checking');
  }

  /** What follows an event outside the books: limits, caps, letters. */
  #follow(before: OrderView, { row, next }: Outcome): void {
    const { id, kind } = next;
    const out = outOf(before);
    if (out && out.intent !== outOf(next)?.intent) this.#desk.cameBack(out);
    const hasEnded = next.state === 'cancelled' || next.state === 'expired';
    if (hasEnded && before.state !== next.state && isPrepared(next.give.currency)) this.#unwanted.add(id);
    const awaited = awaitedUntil(before, next, this.#tx.now);
    if (awaited) this.#awaited.set(id, awaited);
    const settled = settlementOf(before, next);
    // An unallocated payment counts towards limits only by offers that it was made.
    if (settled && (kind === 'order' || settled === 'ended')) this.settle(id, settled);
    const letter = letterOf(before, next, row.event, this.#tx.now);
    if (letter) this.letter(id, letter.kind, letter.once);
  }
}

/** What is on its way to the customer, or went out last and has not come back. */
const outOf = ({ facts }: OrderView): Transfer | undefined => facts.transfer ?? facts.sent;

/** A number for people. That it is taken already is found by the database. */
export const newNumber = (): string => orderNumber(randomBytes(5));

/** What an event means for limits and unpaid orders, if anything. */
function settlementOf(before: OrderView, next: OrderView): Settlement['outcome'] | undefined {
  if (before.state !== next.state) {
    if (next.state === 'expired' || next.state === 'cancelled' || next.state === 'completed') return next.state;
    if (next.state === 'refunded' || next.state === 'reversed' || next.state === 'surrendered') return 'ended';
  }
  const arrived = before.positions.in === 0n && before.facts.exchange === undefined;
  return arrived && (next.positions.in > 0n || (next.facts.exchange && !before.facts.transfer)) ? 'paid' : undefined;
}

/**
 * A customer who has to choose may also pay the rest: gives until when their receiving address is watched, where that
 * changed.
 */
function awaitedUntil(before: OrderView, next: OrderView, now: Date): Date | undefined {
  if (before.state === next.state) return undefined;
  if (next.state === 'choosing') return amountDue(next, now) > 0n ? deadlineOf(next, rules()) : undefined;
  return before.state === 'choosing' && !TAKES_PAYMENTS.has(next.state) ? now : undefined;
}
