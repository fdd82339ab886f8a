// The clock of the promised time, over all states and the reasons for them, at any moments of reading.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshFacts } from '../machine/derived-orders.ts';
import { begin } from '../exploration/order-world.testing.ts';
import { CLOCK, clockAfter, reasonToWait, takenSeconds } from './clock.ts';
import { type Facts, ORDER_STATES, type OrderState, type OrderView, type Pinned } from './order.ts';

const START = new Date(Date.UTC(2026, 10, 26));
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const BOUNDS = { sizes: [], pays: 0, reversals: 0, wins: 0, returns: 0 };
const PLACED = begin({ kind: 'order', askMe: false, hasRoute: true } as never, BOUNDS as never).order;
interface Change {
  readonly facts?: Partial<Facts>;
  readonly promised?: Pinned['promised'];
  readonly owed?: bigint;
}
const orderIn = (state: OrderState, { facts, promised, owed = 0n }: Change = {}): OrderView => ({
  ...PLACED,
  state,
  pinned: { ...PLACED.pinned, ...(promised && { promised }) },
  positions: { ...PLACED.positions, receivable: owed },
  facts: { ...freshFacts(START), ...facts },
});

const transfer = { intent: 'i', kind: 'payout', parts: 1n, cost: 0n } as const;
const exchange = { give: 1n, got: 1n } as Facts['exchange'] & object;
const held = (hold: Partial<NonNullable<Facts['hold']>>): Partial<Facts> => ({ hold: { cause: 'soft', since: START, ...hold } });
const ANNOUNCED = { seconds: 720, hasApproval: true } as const;

/** Each reason of each state, with an order that has it. */
const TABLE: readonly (readonly [state: OrderState, runs: boolean, change: Change, words: string])[] = [
  ['awaiting', false, {}, 'nothing is paid'],
  ['seen', false, {}, 'its payment is not final, or does not fit'],
  ['choosing', false, {}, 'its customer chooses'],
  ['holding', false, { facts: held({ papers: 'asked' }) }, 'papers were asked for'],
  ['holding', false, { facts: held({ papers: 'came', isUnapproved: true }) }, 'papers were asked for'],
  ['holding', true, { facts: held({ isUnapproved: true }) }, 'people were to approve it, and none came in time'],
  [
    'holding',
    false,
    { facts: held({ isUnapproved: true }), promised: ANNOUNCED },
    'the quote announced people, and none came in time',
  ],
  ['holding', false, { facts: held({}) }, 'screening, the law or a debt'],
  ['holding', false, { facts: held({ cause: 'hard' }) }, 'screening, the law or a debt'],
  ['holding', false, { facts: held({ cause: 'hard', isDebt: true }) }, 'screening, the law or a debt'],
  ['approving', true, { facts: { approval: { people: 1 } } }, 'people approve it, or its clearing period is over'],
  ['approving', false, { facts: { approval: { people: 1 } }, promised: ANNOUNCED }, 'the quote announced people'],
  [
    'approving',
    true,
    { facts: { approval: { people: 1 }, isStopped: true }, promised: ANNOUNCED },
    'people approve it, or its clearing period is over',
  ],
  ['paying', true, { facts: { transfer, exchange } }, 'it waits for us, for our float, or a send is in doubt'],
  ['paying', false, { facts: { sent: transfer, exchange } }, 'it was handed to its rail'],
  ['paying', false, { facts: { transfer, exchange }, owed: 1n }, 'its payment was taken back'],
  ['undelivered', true, { facts: { isTransient: true, exchange } }, 'our float is empty, or the rail is down'],
  ['undelivered', false, { facts: { isTransient: false, exchange } }, 'its customer names an account'],
  ['undelivered', false, { facts: { isTransient: true } }, 'its customer names an account'],
  ['undelivered', false, { facts: { isTransient: true, exchange }, owed: 1n }, 'its payment was taken back'],
  ['refunding', false, {}, 'it is given back'],
  ['unclaimed', false, {}, 'its customer claims it'],
  ['frozen', false, {}, 'the law holds it'],
  ...(['expired', 'cancelled', 'completed', 'refunded', 'applied', 'reversed', 'surrendered', 'charged_back'] as const).map(
    (state) => [state, false, {}, 'it is over'] as const,
  ),
];

test('the reason for a state decides whether the clock runs', () => {
  for (const [state, runs, change, words] of TABLE) {
    const reason = reasonToWait(orderIn(state, change));
    assert.deepEqual([reason.words, reason.isRunning], [words, runs], state);
  }
  const reported = new Set(TABLE.map(([state, , , words]) => `${state}: ${words}`));
  const all = ORDER_STATES.flatMap((state) => CLOCK[state].map(({ words }) => `${state}: ${words}`));
  assert.deepEqual(
    all.filter((one) => !reported.has(one)),
    [],
    'each reason is tried',
  );
});

test('a clearing period is not counted, but people’s time after it is', () => {
  const waiting = orderIn('approving', {
    facts: { approval: { people: 1, clearingUntil: later(60) }, clock: { ran: 0, at: START } },
  });
  const paying = orderIn('paying', { facts: { transfer, exchange } });
  assert.deepEqual(clockAfter(waiting, paying, later(50)), { ran: 0, at: later(50) });
  assert.deepEqual(clockAfter(waiting, paying, later(75)), { ran: 15 * 60_000, at: later(75) });
});

test('it begins when the order waits for the desk', () => {
  assert.equal(clockAfter(orderIn('awaiting'), orderIn('seen'), later(5)), undefined);
  assert.equal(takenSeconds(orderIn('seen')), null);
  assert.deepEqual(clockAfter(orderIn('seen'), orderIn('paying', { facts: { transfer } }), later(5)), { ran: 0, at: later(5) });
});

test('it has run exactly while a counting reason applied, whatever happens in between', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...TABLE), fc.integer({ min: 0, max: 100_000 })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, fc.array(fc.nat({ max: 29 })), (way, polls) => {
      let [at, ran] = [START.getTime(), 0];
      let order = orderIn('awaiting');
      const move = (next: OrderView): void => {
        const clock = clockAfter(order, next, new Date(at));
        order = { ...next, facts: { ...next.facts, ...(clock && { clock }) } };
      };
      for (const [index, [[state, runs, change], ms]] of way.entries()) {
        move(orderIn(state, change));
        // An event that doesn't move the order changes nothing.
        const half = polls.includes(index) ? Math.floor(ms / 2) : 0;
        at += half;
        if (half > 0) move(order);
        at += ms - half;
        ran += runs ? ms : 0;
      }
      move(orderIn('completed'));
      assert.equal(takenSeconds(order) ?? 0, Math.round(ran / 1_000));
    }),
  );
});
