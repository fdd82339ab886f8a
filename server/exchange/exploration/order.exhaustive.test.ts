// Every interleaving of an order, a hidden rail and impatient people, in small worlds (all of them: the full run's
// order.exhaustive.full.test.ts); and tables that are broken on purpose, each of which must be found out. The machine, guards, steps and postings are the product's own.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventOf } from '../order/events.ts';
import { type Exploration, explore } from './exploration.testing.ts';
import type { Draft } from '../machine/draft.ts';
import { GUARDS, type Guard } from '../machine/guards.ts';
import { type Machine, createMachine } from '../machine/machine.ts';
import { ORDER_STATES, type OrderState, type Payment } from '../order/order.ts';
import type { Bounds } from './order-world.testing.ts';
import { QUICK_WORLDS, STARTS, worldWords } from './order-worlds.testing.ts';
import { exchangeOf } from '../order/breakdown.ts';
import * as postings from '../machine/postings.ts';
import { lockedPrice } from '../machine/offers.ts';
import { ROWS, type Row } from '../machine/rows.ts';
import type { Step } from '../machine/step-helpers.ts';
import { STEPS } from '../machine/steps.ts';

describe('the order machine, in small worlds', () => {
  for (const world of QUICK_WORLDS) {
    test(worldWords(world), () => assert.equal(explore(createMachine(), world.starts, world).fault, undefined));
  }
});

test('the table has 25 states and 87 rows', () => {
  assert.equal(ORDER_STATES.length, 25);
  assert.equal(ROWS.length, 87);
});

// --- broken tables

type Parts = { rows: Row[]; guards: Record<string, Guard>; steps: Record<string, Step> };
type Break = (parts: Parts) => void;

const yes: Guard = { words: '', check: () => undefined };

function each(rows: Row[], event: Row['event'], change: (row: Row) => Row): void {
  for (const [index, row] of rows.entries()) if (row.event === event) rows[index] = change(row);
}

const without = (states: readonly OrderState[], gone: OrderState): OrderState[] => states.filter((state) => state !== gone);

function addRow(parts: Parts, row: Omit<Row, 'guard' | 'step'>, step: (draft: Draft, event: never) => void): void {
  parts.steps[`broken_${row.event}`] = step;
  parts.guards['yes'] = yes;
  parts.rows.push({ ...row, guard: 'yes' as Row['guard'], step: `broken_${row.event}` as Row['step'] });
}

const BROKEN: Record<string, { readonly break: Break; readonly fault: RegExp }> = {
  'blind resend: no dedupe needed': {
    break: ({ guards }) => (guards['same_reference'] = yes),
    fault: /^two sends out at once/,
  },
  'resend after the dedupe window': {
    break: ({ guards }) =>
      (guards['same_reference'] = {
        words: '',
        check: (_, event) => ((event as EventOf<'resend'>).dedupes ? undefined : 'order_changed'),
      }),
    fault: /^two sends out at once/,
  },
  'look-up "not found" believed too early': {
    break: ({ guards }) => (guards['conclusive'] = yes),
    fault: /^the books .* differ from the rail/,
  },
  'operator resolves a doubt without evidence': {
    break: ({ guards }) => (guards['statement'] = yes),
    fault: /^the books .* differ from the rail/,
  },
  'refund may be chosen while a payout is being sent': {
    break: (parts) =>
      addRow(
        parts,
        {
          from: ['sending'],
          event: 'choose_refund',
          who: 'O',
          next: ['r_queued'],
          money: ['departure_failed', 'exchange_reverse', 'refund_intent'],
        },
        (draft) => {
          STEPS.failed(draft, { type: 'refused', passing: false });
          draft.post(postings.exchangeReverse(draft.order, draft.context.free.give));
          draft.queueRefund();
        },
      ),
    fault: /^order has no account to refund to/,
  },
  'a second payment re-opens a completed order': {
    break: (parts) => {
      each(parts.rows, 'payin_final', (row) => ({ ...row, from: without(row.from, 'completed') }));
      addRow(
        parts,
        {
          from: ['completed'],
          event: 'payin_final',
          who: 'R',
          next: ['queued'],
          money: ['payin', 'reserve', 'exchange', 'payout_intent'],
        },
        (draft, { payment }: { payment: Payment }) => {
          STEPS.see_aside(draft, { type: 'payin_seen', payment });
          draft.post(postings.payin(draft.order, payment));
          const price = lockedPrice(draft.order, payment.parts);
          if (!price) throw new Error('no price');
          const booked = exchangeOf(draft.order, price);
          draft.post(postings.reserve(draft.order, booked.got));
          draft.post(postings.exchange(draft.order, booked));
          draft.note({ exchange: booked });
          draft.queuePayout();
        },
      );
    },
    fault: /^two sends out at once/,
  },
  'reversal ignored while the payout is queued': {
    break: (parts) => {
      each(parts.rows, 'payin_reversed', (row) =>
        row.from.includes('queued') ? { ...row, step: 'owe', next: ['same'], money: ['reversal_debt'] } : row,
      );
      each(parts.rows, 'transfer_final', (row) => ({ ...row, step: 'forget' as Row['step'] }));
      parts.guards['taken'] = yes;
      parts.steps['forget'] = (draft: Draft) => draft.go(draft.order.state === 'sent' ? 'completed' : 'refunded');
    },
    fault: /^at rest in .* with money in receivable/,
  },
  'a returned payout is not booked before it is sent again': {
    break: (parts) => {
      parts.steps['returned'] = (draft: Draft) => {
        const last = draft.order.facts.sent;
        if (!last) throw new Error('nothing was sent');
        const { positions } = draft.order;
        const back = last.kind === 'payout' ? { out: positions.out + last.parts } : { in: positions.in + last.parts };
        draft.order = { ...draft.order, positions: { ...positions, ...back } };
        draft.go(last.kind === 'payout' ? 'payout_failed' : 'refund_failed', { passing: true });
      };
    },
    fault: /^out is not what its account holds/,
  },
  "no deadline on the customer's choice, no operator refund": {
    break: (parts) => {
      parts.rows = parts.rows.filter(
        (row) => row.from[0] !== 'choosing' || !['deadline', 'op_refund', 'op_hold'].includes(row.event),
      );
      each(parts.rows, 'freeze', (row) => ({ ...row, from: without(row.from, 'choosing') }));
    },
    fault: /^stranded without the customer in choosing/,
  },
  'silence without a refund route goes to expired': {
    break: (parts) => {
      each(parts.rows, 'deadline', (row) =>
        row.from[0] === 'choosing' ? { ...row, step: 'silence' as Row['step'], next: ['r_queued', 'expired'] } : row,
      );
      parts.steps['silence'] = (draft: Draft) => {
        if (draft.order.refund) STEPS.refund(draft);
        else STEPS.expire(draft);
      };
    },
    fault: /^at rest in expired with money in in/,
  },
  'payment after cancel is not watched': {
    break: ({ rows }) => {
      for (const event of ['payin_seen', 'payin_final', 'payin_dropped'] as const) {
        each(rows, event, (row) => ({ ...row, from: without(row.from, 'cancelled') }));
      }
    },
    fault: /^payin_seen is not accepted in cancelled/,
  },
  'approval twice makes two intents': {
    break: (parts) =>
      addRow(parts, { from: ['sent'], event: 'approve', who: 'O', next: ['queued'], money: ['payout_intent'] }, (draft) => {
        const { positions, facts } = draft.order;
        draft.order = { ...draft.order, positions: { ...positions, out: facts.sent?.parts ?? 0n } };
        draft.queuePayout();
      }),
    fault: /^\S+ below its floor/,
  },
  'chargeback after payout leaves the order done': {
    break: (parts) => {
      each(parts.rows, 'payin_reversed', (row) =>
        row.from.includes('completed') ? { ...row, step: 'owe', next: ['same'] } : row,
      );
    },
    fault: /^at rest in .* with money in receivable/,
  },
};

describe('broken tables are caught', () => {
  const world: Bounds = { sizes: [20n], pays: 2, reversals: 1, wins: 0, returns: 1, retries: 1 };
  /** Being stranded shows only once everything was seen, so that world is small. */
  const small: Bounds = { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 };
  const breakIt = (how: Break, fault: RegExp): Exploration => {
    const parts: Parts = { rows: [...ROWS], guards: { ...GUARDS }, steps: { ...STEPS } };
    how(parts);
    const machine: Machine = createMachine(parts.rows, parts.guards, parts.steps);
    return explore(machine, STARTS, fault.source.startsWith('^stranded') ? small : world);
  };
  for (const [name, { break: how, fault }] of Object.entries(BROKEN)) {
    test(name, () => assert.match(breakIt(how, fault).fault ?? 'sound', fault));
  }
  test('there are thirteen', () => assert.equal(Object.keys(BROKEN).length, 13));
});
