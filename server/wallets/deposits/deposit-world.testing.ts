// Simulates a deposit with all events that can happen to it. After each step, checks that the books agree with the deposit's
// row, and that the rail's money agrees with the books. For tests.

import assert from 'node:assert/strict';
import { type Journal, type JournalKind, type Leg, assertLegal } from '../../ledger/index.ts';
import type { PayinBody, PayoutEvent } from '../../payments/index.ts';
import {
  type Back,
  type Deposit,
  type Clearance,
  type Step,
  afterGiveBack,
  arrive,
  beforeFinal,
  clear,
  giveBack,
  release,
  settle,
  sighted,
  takeBack,
  takenOf,
} from './deposit.ts';
import { type PayoutNews, postedOf } from './given-back.testing.ts';

const NOW = new Date(Date.UTC(2026, 10, 20, 12));
const LATER = new Date(Date.UTC(2027, 4, 19, 12));
const ID = '01a20674-57ac-7111-b990-d8102836606c';
const WHOLE = 1_000n;
const FLOAT = 1_500n;
const STATUSES: readonly Clearance[] = [{}, { why: 'a reason' }, { freeAt: LATER }, { why: 'a reason', freeAt: LATER }];
const WALLET = 'wallet:ann:PAYPAL_USD';
const LEFT: readonly PayoutEvent[] = ['accepted', 'found'];
const STAYED: readonly PayoutEvent[] = ['refused', 'absent', 'kept'];

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** A simulated deposit, with the payment at its rail, the payouts that refund it, and its holder's wallet. */
export class Course {
  books: ReadonlyMap<string, bigint> = new Map();
  /** State of the payment at the rail. */
  payment: 'seen' | 'final' | 'dropped' | 'reversed' = 'seen';
  /** Amount that the rail has taken back. */
  taken = 0n;
  /** All money that we have at the rail. */
  atRail = FLOAT;
  /** The current refund. */
  request: Back | undefined;
  /** Refunds that have left and not come back. */
  left: readonly Back[] = [];
  payouts = 0;
  now = NOW;
  /** Kind of the journal that the last step posted. */
  posted: JournalKind | undefined;
  deposit: Deposit = sighted(this.body('seen'), undefined, { addressId: 'place', holderId: 'ann' });

  body(event: PayinBody['event'], part?: bigint): PayinBody {
    return {
      ...{ payinId: ID, owner: { kind: 'wallet', id: 'place' }, event, currency: 'PAYPAL_USD', unit: 'PAYPAL_USD' },
      ...{ place: 'hot', parts: WHOLE.toString(), txid: 'tx', from: ['ann'], isFeeOk: true, seenAt: NOW.toISOString() },
      ...{ confirmations: 1, needed: 1, ...(part !== undefined && { part: part.toString() }) },
    };
  }

  /** Returns the sum of the accounts whose name is `name` or begins with `name:`. */
  stands(name: string): bigint {
    return [...this.books].reduce((sum, [each, parts]) => (`${each}:`.startsWith(`${name}:`) ? sum + parts : sum), 0n);
  }

  wallet(): bigint {
    return this.books.get(WALLET) ?? 0n;
  }

  move({ from, to, parts }: Pick<Leg, 'from' | 'to' | 'parts'>): void {
    const books = new Map(this.books);
    books.set(from.name, (books.get(from.name) ?? 0n) - parts);
    books.set(to.name, (books.get(to.name) ?? 0n) + parts);
    this.books = books;
  }

  take({ deposit, journal }: Step): void {
    this.posted = journal?.kind;
    this.post(journal);
    this.deposit = deposit;
  }

  post(journal: Journal | undefined): void {
    if (journal) assertLegal(journal);
    for (const leg of journal?.legs ?? []) this.move(leg);
  }

  /** Posts the outcome of a refund, as the payments room does, and applies its event to the deposit. */
  reported(reported: PayoutNews): void {
    this.post(postedOf(this.deposit, reported, ID));
    this.take(afterGiveBack(this.deposit, reported, this.now, ID) as Step);
  }

  /** Applies an arrival as `applyEvents` does: the event's data is stored first. */
  arrives(part: bigint | undefined, status: Clearance): void {
    const body = this.body('final', part);
    this.deposit = sighted(body, this.deposit, this.deposit);
    this.atRail += part ?? WHOLE;
    this.take(arrive(this.deposit, body, status, this.now, ID));
  }

  shows(event: 'seen' | 'dropped'): void {
    this.payment = event;
    this.deposit = beforeFinal(sighted(this.body(event), this.deposit, this.deposit), event, this.now);
  }

  takes(part: bigint | undefined): void {
    const body = this.body('reversed', part);
    assert.equal(takenOf(this.deposit, body), part ?? WHOLE - this.taken, 'all that is there of it');
    this.atRail -= part ?? WHOLE - this.taken;
    const there = { available: this.wallet(), custody: FLOAT - this.stands('custody') };
    this.take(takeBack(this.deposit, body, 'paypal', there, this.now, ID));
  }
}

/** Makes one event happen if it is possible, and returns true if it did. `n` selects its amount or variant. */
type Happening = (course: Course, n: number) => boolean;

const some = (max: bigint, n: number): bigint => 1n + (BigInt(n) % max);
const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

export const HAPPENINGS: Readonly<Record<string, Happening>> = {
  final(course, n) {
    // A payment that was dropped may appear again and be final within one poll.
    if (course.payment === 'final') return false;
    course.arrives(undefined, pick(STATUSES, n));
    Object.assign(course, { payment: 'final', taken: 0n });
    return true;
  },
  seen(course) {
    if (course.payment === 'final') return false;
    course.shows('seen');
    return true;
  },
  dropped(course) {
    if (course.payment !== 'seen') return false;
    course.shows('dropped');
    return true;
  },
  backInPart(course, n) {
    const gone = course.payment === 'reversed' ? WHOLE : course.payment === 'final' ? course.taken : 0n;
    if (gone === 0n) return false;
    const part = course.payment === 'reversed' ? some(WHOLE - 1n, n) : some(gone, n);
    course.arrives(part, pick(STATUSES, n));
    Object.assign(course, { payment: 'final', taken: gone - part });
    return true;
  },
  takenInPart(course, n) {
    if (course.payment !== 'final' || WHOLE - course.taken < 2n) return false;
    const part = some(WHOLE - course.taken - 1n, n);
    course.takes(part);
    course.taken += part;
    return true;
  },
  takenBack(course) {
    if (course.payment !== 'final') return false;
    course.takes(undefined);
    Object.assign(course, { payment: 'reversed', taken: 0n });
    return true;
  },
  release(course) {
    if (course.deposit.status !== 'checking') return false;
    course.take(release(course.deposit, 'carl', course.now, ID));
    return true;
  },
  timePasses(course) {
    course.now = LATER;
    return true;
  },
  mature(course) {
    if (course.now !== LATER || course.deposit.status !== 'maturing') return false;
    course.take(clear(course.deposit, LATER, ID));
    return true;
  },
  giveBack(course) {
    if (course.deposit.status !== 'checking' || course.deposit.uncleared === 0n) return false;
    const [id, parts] = [`back-${(course.payouts += 1)}`, course.deposit.uncleared];
    course.take(giveBack(course.deposit, id, 'carl', ID));
    course.request = { id, parts };
    return true;
  },
  leaves(course, n) {
    if (!course.request) return false;
    course.atRail -= course.request.parts;
    course.reported(pick(LEFT, n));
    course.left = [...course.left, course.request];
    course.request = undefined;
    return true;
  },
  stays(course, n) {
    if (!course.request) return false;
    course.reported(pick(STAYED, n));
    course.request = undefined;
    return true;
  },
  comesBack(course, n) {
    if (course.left.length === 0) return false;
    const { id: payout, parts } = pick(course.left, n);
    const came = some(parts, n);
    const lost = n % 2 === 0 ? parts - came : 0n;
    course.atRail += came;
    course.reported({ event: 'returned', payout, back: { came, lost } });
    course.left = course.left.filter(({ id }) => id !== payout);
    return true;
  },
  settle(course) {
    if (course.deposit.owed === 0n || course.wallet() === 0n) return false;
    course.take(settle(course.deposit, course.wallet(), ID));
    return true;
  },
  earn(course, n) {
    course.books = new Map(course.books).set(WALLET, course.wallet() + BigInt(n));
    return true;
  },
  spend(course, n) {
    const left = course.wallet();
    course.books = new Map(course.books).set(WALLET, left - min(left, BigInt(n)));
    return true;
  },
};

export function mustAgree(course: Course): void {
  const { deposit, request } = course;
  assert.equal(course.stands(`${WALLET}:uncleared`), deposit.uncleared, 'what is uncleared');
  assert.equal(-course.stands('receivable'), deposit.owed, 'what is owed');
  assert.equal(course.stands('payout'), request?.parts ?? 0n, 'what is being given back');
  assert.equal(deposit.status === 'returning', request !== undefined, 'whether it is being given back');
  assert.equal(FLOAT - course.stands('custody') - course.stands('owed'), course.atRail, 'what its rail has of ours');
  for (const [name, parts] of course.books) assert.ok(parts >= 0n || !/^(wallet|payout|owed)/.test(name), `${name} below zero`);
  // Uncleared money always waits for a person or a time. A deposit without uncleared money waits for neither.
  const waits = ['checking', 'maturing', 'returning'].includes(deposit.status);
  assert.ok(deposit.uncleared === 0n || waits, `${deposit.uncleared} is uncleared and nobody's to decide: ${deposit.status}`);
  assert.ok(deposit.status !== 'checking' || deposit.isFlagged, 'a person looks at what was flagged');
  assert.ok(deposit.status !== 'maturing' || deposit.freeAt !== undefined, 'what matures does so at some time');
}

/** Returns the state of a simulated deposit as text, to recognise states that were reached before. */
export const written = (course: object): string =>
  JSON.stringify(course, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Map
        ? [...value].filter(([, parts]) => parts !== 0n).sort()
        : value,
  );

/** Copies a simulated deposit, so that other events can follow. */
export const copyOf = (course: Course): Course =>
  Object.assign(Object.create(Course.prototype) as Course, course, { posted: undefined });
