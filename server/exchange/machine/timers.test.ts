import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TERMS } from '../exploration/order-terms.testing.ts';
import { type Start, begin } from '../exploration/order-world.testing.ts';
import { EMPTY, type Exchange, ORDER_STATES, type OrderState, type OrderView, type Payment } from '../order/order.ts';
import { deadlineOf, isClearing, pollsUntil, nextPollAt, timersOf } from './timers.ts';

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
  writeOff: 180 * 24 * HOUR,
};
const START: Start = { kind: 'order', hasRoute: true, askMe: false };
const BOUNDS = { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 };
const SINCE = new Date(10 * HOUR);
const LOCK = new Date(11 * HOUR);

function order(state: OrderState, facts: Partial<OrderView['facts']> = {}, more: Partial<OrderView> = {}): OrderView {
  const { order: base } = begin(START, BOUNDS);
  return {
    ...base,
    state,
    pinned: { ...base.pinned, lockUntil: LOCK, confirmWithin: HOUR },
    facts: { ...base.facts, since: SINCE, ...facts },
    ...more,
  };
}

const observedPayment = (more: Partial<Payment>): Payment => ({
  id: 'p',
  parts: 20n,
  status: 'seen',
  place: 'hot',
  txid: 'p',
  seenAt: SINCE,
  isFeeOk: true,
  confirmations: 0,
  needed: 1,
  ...more,
});

/** Returns the due time in ms after SINCE. */
const due = (view: OrderView): number | undefined => {
  const at = nextPollAt(view, RULES);
  return at && at.getTime() - SINCE.getTime();
};

/** The exchange whose payout could not be delivered. */
const EXCHANGE: Exchange = {
  give: 20n,
  components: [],
  exchanged: 18n,
  got: 18n,
  rate: TERMS.rate,
  retained: 0n,
  provision: 0n,
  version: '1',
};

describe('the next check of an order', () => {
  test('unpaid: at the end of the lock, with a grace for payments seen in time', () => {
    assert.equal(due(order('awaiting')), HOUR + 5_000);
  });
  test('seen: one hour after the last payment was seen', () => {
    const payments = [observedPayment({}), observedPayment({ id: 'q', seenAt: new Date(SINCE.getTime() + 5 * MINUTE) })];
    assert.equal(due(order('seen', {}, { payments })), HOUR + 5 * MINUTE);
  });
  test('seen with a low fee, or after the lock: at once', () => {
    assert.equal(due(order('seen', {}, { payments: [observedPayment({ isFeeOk: false })] })), 0);
    const late = new Date(LOCK.getTime() + 1);
    assert.equal(due(order('seen', {}, { payments: [observedPayment({ seenAt: late })] })), HOUR + 1);
  });
  test('seen and confirmed in time: only the rail moves it', () => {
    assert.equal(due(order('seen', {}, { payments: [observedPayment({ firstConfirmedAt: SINCE })] })), undefined);
  });
  test('short: at the end of the lock; late: at once; asked: 72 hours', () => {
    assert.equal(due(order('choosing')), HOUR + 5_000);
    assert.equal(due(order('choosing', { isLate: true })), 0);
    assert.equal(due(order('choosing', { isLate: true, isAsked: true })), 72 * HOUR);
  });
  test('held: 72 hours with a soft cause; with a hard one only its rate ends then', () => {
    const hold = { since: SINCE } as const;
    assert.equal(due(order('holding', { hold: { ...hold, cause: 'soft' } })), 72 * HOUR);
    assert.equal(due(order('holding', { hold: { ...hold, cause: 'hard' } })), 72 * HOUR);
    assert.equal(due(order('holding', { isLate: true, hold: { ...hold, cause: 'hard' } })), undefined);
    assert.equal(deadlineOf(order('holding', { hold: { ...hold, cause: 'hard' } }), RULES), undefined);
  });
  test('waiting for approval: a day; clearing: until it is over', () => {
    assert.equal(due(order('approving', { approval: { people: 1 } })), 24 * HOUR);
    const clearingUntil = new Date(SINCE.getTime() + 72 * HOUR);
    assert.equal(due(order('approving', { approval: { people: 0, clearingUntil: clearingUntil } })), 72 * HOUR);
    assert.equal(due(order('approving', { approval: { people: 1, clearingUntil: clearingUntil } })), 96 * HOUR);
  });
  test('failed: tried again with growing pauses, five times; then the customer has 72 hours', () => {
    const undelivered = { positions: { ...EMPTY, out: 18n } };
    const failed = { exchange: EXCHANGE, isTransient: true } as const;
    const tries = [1, 2, 3, 4, 5].map((count) => due(order('undelivered', { ...failed, tries: count }, undelivered)));
    assert.deepEqual(tries, [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 72 * HOUR]);
    const more = nextPollAt(order('undelivered', { ...failed, tries: 6 }, undelivered), { ...RULES, retries: 9 });
    assert.deepEqual(more, new Date(SINCE.getTime() + HOUR), 'each hour, where more tries are made');
    assert.equal(due(order('undelivered', { exchange: EXCHANGE })), 72 * HOUR);
  });
  test('a failed refund that doesn’t exceed its sending cost is not tried again', () => {
    const left = (parts: bigint) => ({ positions: { ...EMPTY, in: parts } });
    assert.equal(due(order('undelivered', { isTransient: true, tries: 1 }, left(2n))), MINUTE);
    assert.equal(due(order('undelivered', { isTransient: true, tries: 1 }, left(1n))), 72 * HOUR);
  });
  test('pages show the timer’s own time', () => {
    const clearingUntil = new Date(SINCE.getTime() + 72 * HOUR);
    for (const view of [
      order('choosing', { isLate: true, isAsked: true }),
      order('undelivered', { exchange: EXCHANGE }),
      order('undelivered'),
      order('holding', { hold: { since: SINCE, papers: 'asked', cause: 'soft' } }),
      order('approving', { approval: { people: 2 } }),
      order('approving', { approval: { people: 0, clearingUntil: clearingUntil } }),
      order('approving', { approval: { people: 1, clearingUntil: clearingUntil } }),
    ]) {
      assert.deepEqual(deadlineOf(view, RULES), nextPollAt(view, RULES));
    }
  });
  test('unclaimed: reminders after 1, 7, 30 and 85 days, then none', () => {
    const days = [0, 1, 2, 3, 4].map((reminded) => due(order('unclaimed', { reminded })));
    assert.deepEqual(days, [24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 85 * 24 * HOUR, undefined]);
  });
  test('a changed account that waits comes first', () => {
    const from = new Date(SINCE.getTime() + 24 * HOUR);
    const pending = { event: 'new_account', account: { fields: {}, key: 'a', side: 'get' }, from } as const;
    assert.equal(due(order('undelivered', { pending })), 24 * HOUR);
  });
  test('finished orders have no timer', () => {
    for (const state of ['completed', 'refunded', 'cancelled', 'expired', 'frozen', 'charged_back'] as const) {
      assert.equal(due(order(state)), undefined);
      assert.deepEqual(timersOf(order(state)), []);
    }
  });
  test('an order whose send turned up late waits for people: no timer', () => {
    for (const state of ['awaiting', 'choosing', 'undelivered', 'approving'] as const)
      assert.equal(due(order(state, { isFoundLate: true })), undefined, state);
  });
  test('undelivered with a debt or a noted freeze: at once', () => {
    const out = { ...EMPTY, out: 18n };
    assert.equal(due(order('undelivered', { exchange: EXCHANGE }, { positions: out })), 72 * HOUR);
    assert.equal(due(order('undelivered', { exchange: EXCHANGE }, { positions: { ...out, receivable: 1n } })), 0);
    assert.equal(due(order('undelivered', { exchange: EXCHANGE, isFreezePending: true }, { positions: out })), 0);
  });
  test('late without money: a seen payment keeps no rate, so its hour doesn’t matter', () => {
    const payments = [observedPayment({})];
    assert.equal(due(order('seen', { isLate: true }, { payments })), undefined);
    assert.equal(due(order('seen', { isLate: true }, { payments, positions: { ...EMPTY, in: 1n } })), HOUR);
  });
  test('the time to choose counts from the first question, not from the start of the state', () => {
    const choiceSince = new Date(SINCE.getTime() + 5 * HOUR);
    assert.equal(due(order('choosing', { isLate: true, isAsked: true, choiceSince })), 77 * HOUR);
    assert.equal(deadlineOf(order('frozen', { choiceSince }), RULES), undefined);
  });
  test('the events that are tried in each state, in sequence', () => {
    const tried = ORDER_STATES.map((state) => [state, timersOf(order(state))] as const).filter(([, events]) => events.length > 0);
    assert.deepEqual(Object.fromEntries(tried), {
      awaiting: ['lock_over'],
      seen: ['window_over'],
      choosing: ['go_on_better', 'take_short', 'rate_over', 'deadline'],
      holding: ['deadline', 'hold_rate_over'],
      approving: ['clearing_over', 'deadline'],
      undelivered: ['settle_reversal', 'retry', 'deadline'],
    });
  });
  test('polls must have reached the end of the lock or window before a payment counts as missing', () => {
    const payments = [observedPayment({})];
    assert.deepEqual(pollsUntil(order('awaiting')), LOCK);
    assert.deepEqual(pollsUntil(order('choosing')), LOCK);
    assert.equal(pollsUntil(order('choosing', { isLate: true })), undefined);
    assert.deepEqual(pollsUntil(order('seen', {}, { payments })), new Date(SINCE.getTime() + HOUR));
    assert.equal(pollsUntil(order('holding', {}, { payments })), undefined);
  });
  test('only a clearing period without approval ends automatically', () => {
    const until = new Date(SINCE.getTime() + 72 * HOUR);
    const clears = (approval: OrderView['facts']['approval']): boolean =>
      isClearing(order('approving', approval && { approval }).facts);
    assert.deepEqual(
      [
        clears({ people: 0, clearingUntil: until }),
        clears({ people: 0 }),
        clears({ people: 1, clearingUntil: until }),
        clears(undefined),
      ],
      [true, false, false, false],
    );
  });
});
