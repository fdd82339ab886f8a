// The rate of a held order. It is the locked one until the hold ends, if the customer was not asked for anything. Once papers are
// requested or come, only a short hold keeps it; after that the lower of two rates applies.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutRate, fraction, rate } from '@kurs/money';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { keepsLockedRate, rateHeldUntil } from './hold.ts';
import { letterOf } from '../letters/letter-kind.ts';
import { decide } from './machine.ts';
import { makeOffer } from './offers.ts';
import type { OrderView, Payment } from '../order/order.ts';
import { reasonOf } from '../wire/order-wire.ts';
import { DUE, begin } from '../exploration/order-world.testing.ts';
import { BACK, TERMS } from '../exploration/order-terms.testing.ts';
import { nextPollAt, timersOf } from './timers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULES = {
  offer: 3 * MINUTE,
  choice: 72 * HOUR,
  hold: 72 * HOUR,
  approval: 24 * HOUR,
  keepRate: 30 * MINUTE,
  better: 2,
  retries: 5,
  writeOff: 1,
};
const HELD = new Date(10 * MINUTE);
const after = (milliseconds: number): Date => new Date(HELD.getTime() + milliseconds);

/** Returns a market in which the customer gets more, or less, than at the locked rate. */
const market = (percent: bigint): Context['market'] => ({
  terms: { ...TERMS, rate: cutRate(rate('USD', 'USD', fraction(percent, 100n)), 'down') },
  back: BACK,
  version: '2',
});

const contextAt = (now: Date, change: Partial<Context> = {}): Context => ({
  now,
  rules: RULES,
  newId: () => 'x',
  free: { get: 1_000n, give: 1_000n },
  held: 1_000n,
  market: market(150n)!,
  allows: () => true,
  approvalFor: () => ({ people: 0 }),
  screening: 'clean',
  ...change,
});

const payment = (parts: bigint): Payment => ({
  id: 'p',
  parts,
  status: 'final',
  place: 'hot',
  txid: 'p',
  seenAt: new Date(MINUTE),
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
});

function happen(order: OrderView, event: OrderEvent, now: Date, change: Partial<Context> = {}) {
  const outcome = decide(order, event, contextAt(now, change));
  if (outcome.refused !== undefined) assert.fail(`${event.type} was refused in ${order.state}: ${outcome.refused}`);
  return outcome;
}

/** Returns an order whose payment, made in time, is held by screening. */
function held(parts = DUE, screening: 'soft' | 'hard' = 'soft'): OrderView {
  const { order } = begin(
    { kind: 'order', hasRoute: true, askMe: false },
    { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
  );
  return happen(order, { type: 'payin_final', payment: payment(parts) }, HELD, { screening }).next;
}

const released = (order: OrderView, at: Date, change: Partial<Context> = {}) =>
  happen(order, { type: 'release' }, at, change).next;
const requested = (order: OrderView): OrderView => happen(order, { type: 'papers_asked' }, after(MINUTE)).next;
const came = (order: OrderView): OrderView => happen(order, { type: 'papers_came' }, after(MINUTE)).next;

describe('the limits of a hold', () => {
  const rows: readonly [what: string, order: () => OrderView, milliseconds: number, keeps: boolean][] = [
    ['nothing asked, at the brief hold’s end', () => held(), 30 * MINUTE, true],
    ['nothing asked, beyond it', () => held(), 30 * MINUTE + 1, true],
    ['nothing asked, just before the hold’s end', () => held(), 72 * HOUR - 1, true],
    ['nothing asked, at it', () => held(), 72 * HOUR, false],
    ['of a hard cause, just before its 72 hours', () => held(DUE, 'hard'), 72 * HOUR - 1, true],
    ['of a hard cause, at its 72 hours', () => held(DUE, 'hard'), 72 * HOUR, false],
    ['papers asked, at the brief hold’s end', () => requested(held()), 30 * MINUTE, true],
    ['papers asked, one moment beyond', () => requested(held()), 30 * MINUTE + 1, false],
    ['papers came unasked, at the brief hold’s end', () => came(held()), 30 * MINUTE, true],
    ['papers came unasked, one moment beyond', () => came(held()), 30 * MINUTE + 1, false],
    ['papers asked and come, one moment beyond', () => came(requested(held())), 30 * MINUTE + 1, false],
  ];
  for (const [what, make, milliseconds, keeps] of rows) {
    test(`${what}: ${keeps ? 'the locked rate' : 'not the locked rate'}`, () => {
      const order = make();
      assert.equal(keepsLockedRate(order, contextAt(after(milliseconds))), keeps);
      const next = released(order, after(milliseconds));
      assert.equal(next.state, keeps ? 'paying' : 'choosing');
      assert.equal(next.facts.isLate, !keeps);
      if (keeps) assert.equal(next.facts.exchange?.got, order.get?.parts);
      else assert.equal(next.facts.isFreeRefund, true, 'a refund costs nothing');
    });
  }
});

describe('papers', () => {
  test('release the reserve when they are requested, and the customer gets a letter', () => {
    const order = held();
    assert.equal(order.positions.reserve, order.get?.parts);
    const { next, postings } = happen(order, { type: 'papers_asked' }, after(MINUTE));
    assert.deepEqual([next.state, next.positions.reserve, next.facts.hold?.papers], ['holding', 0n, 'asked']);
    assert.deepEqual(
      postings.map(({ name }) => name),
      ['reserve_release'],
    );
    assert.equal(next.facts.since, order.facts.since, 'and the hold ends when it would have');
    assert.equal(reasonOf(next), 'papers');
    assert.equal(letterOf(order, next, 'papers_asked', after(MINUTE))?.kind, 'papers');
    assert.equal(reasonOf(came(next)), 'check');
  });

  test('are requested once, and again after others have come', () => {
    const refused = (order: OrderView, type: 'papers_asked' | 'papers_came') =>
      decide(order, { type }, contextAt(after(MINUTE))).refused;
    assert.equal(refused(requested(held()), 'papers_asked'), 'action_not_open');
    assert.equal(refused(came(held()), 'papers_came'), 'action_not_open');
    assert.equal(refused(came(requested(held())), 'papers_asked'), undefined);
    assert.equal(refused(requested(held()), 'papers_came'), undefined);
  });

  for (const [percent, got] of [
    [150n, 18n],
    [50n, 9n],
  ] as const) {
    test(`${percent > 100n ? 'the market helped' : 'the market fell'}: the lower of the two rates is offered`, () => {
      const order = released(requested(held()), after(31 * MINUTE), { market: market(percent)! });
      assert.deepEqual([order.facts.isLate, order.facts.hasLowerRate, reasonOf(order)], [true, true, 'checked']);
      const offer = makeOffer(order, contextAt(after(32 * MINUTE), { market: market(percent)! }));
      assert.equal(offer?.parts, got);
      assert.ok(decide(order, { type: 'go_on_better' }, contextAt(after(32 * MINUTE), { market: market(100n)! })).refused);
    });
  }

  test('keep the rate in a short hold if the reserve is available again; else the customer is asked', () => {
    assert.equal(released(requested(held()), after(20 * MINUTE)).state, 'paying');
    const without = released(requested(held()), after(20 * MINUTE), { free: { get: 0n, give: 1_000n } });
    assert.deepEqual([without.state, without.facts.isLate, without.facts.isFreeRefund], ['choosing', false, true]);
  });
});

describe('a hold without requests', () => {
  test('leaves an underpaid order unchanged: the rest may come, or it goes on when the lock ends', () => {
    const order = released(held(16n), after(20 * MINUTE));
    assert.deepEqual([order.state, order.facts.isLate], ['choosing', false]);
    assert.equal(happen(order, { type: 'take_short' }, after(21 * MINUTE)).next.state, 'paying');
  });

  test('of an exchanged order reverses the exchange, promises the amount again, and keeps the rate', () => {
    const { order: placed } = begin(
      { kind: 'order', hasRoute: true, askMe: false },
      { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
    );
    const waits = happen(placed, { type: 'payin_final', payment: payment(DUE) }, HELD, {
      approvalFor: () => ({ people: 1 }),
    }).next;
    assert.equal(waits.state, 'approving');
    for (const event of [{ type: 'op_hold' }, { type: 'deadline' }] as const) {
      // The desk has no free money: the money that just came back is enough.
      const none = { free: { get: 0n, give: 0n } };
      const order = happen(waits, event, after(24 * HOUR), none).next;
      assert.deepEqual([order.state, order.facts.isLate, order.positions.reserve], ['holding', false, waits.facts.exchange?.got]);
      const again = released(order, after(25 * HOUR), none);
      assert.deepEqual([again.state, again.facts.exchange?.got], ['paying', waits.facts.exchange?.got]);
    }
  });

  test('with a hard cause releases the reserve when its time is over, and goes on waiting', () => {
    const order = held(DUE, 'hard');
    assert.deepEqual(nextPollAt(order, RULES), after(72 * HOUR));
    const fire = (now: Date) =>
      timersOf(order)
        .map((type) => decide(order, { type }, contextAt(now)))
        .find(({ refused }) => refused === undefined);
    assert.equal(fire(after(72 * HOUR - 1)), undefined);
    const outcome = fire(after(72 * HOUR));
    assert.ok(outcome && outcome.refused === undefined);
    assert.deepEqual([outcome.next.state, outcome.next.facts.isLate, outcome.next.positions.reserve], ['holding', true, 0n]);
    assert.equal(nextPollAt(outcome.next, RULES), undefined);
    assert.equal(released(outcome.next, after(73 * HOUR)).facts.hasLowerRate, false, 'the current rate, better or worse');
  });

  test('asks a customer who calls off their payout, whatever the rate', () => {
    assert.equal(happen(held(), { type: 'release', isCustomerAsked: true }, after(MINUTE)).next.state, 'choosing');
  });
});

test('only a hard hold of an order that is not late ends its rate after the hold’s time', () => {
  const order = held(DUE, 'hard');
  assert.deepEqual(rateHeldUntil(order, RULES), after(72 * HOUR));
  const { hold: _, ...facts } = order.facts;
  const others: OrderView[] = [
    held(DUE, 'soft'),
    { ...order, state: 'choosing' },
    { ...order, kind: 'unallocated' },
    { ...order, facts: { ...order.facts, isLate: true } },
    { ...order, facts },
  ];
  for (const other of others) assert.equal(rateHeldUntil(other, RULES), undefined);
  for (const other of [others[2]!, others[3]!, others[4]!]) assert.equal(keepsLockedRate(other, contextAt(after(1))), false);
});
