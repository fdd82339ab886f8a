// Deliberately broken order machines and payouts: the exploration of a small world must find each fault.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PayoutMove, type PayoutNode, payoutMoves } from '../../payments/testing.ts';
import { type Exploration, explore } from './exploration.testing.ts';
import type { Draft } from '../machine/draft.ts';
import { GUARDS, type Guard } from '../machine/guards.ts';
import { type Machine, createMachine } from '../machine/machine.ts';
import type { Bounds, Moves } from './order-world.testing.ts';
import { exchangeOf } from '../order/money/breakdown.ts';
import * as postings from '../machine/postings.ts';
import { lockedPrice } from '../machine/offers.ts';
import { ROWS, type OrderTransition } from '../machine/rows.ts';
import type { Step } from '../machine/step-helpers.ts';
import { STEPS } from '../machine/steps.ts';
import type { OrderState, Payment } from '../order/order.ts';
import { STARTS } from './order-worlds.testing.ts';

type Parts = { rows: OrderTransition[]; guards: Record<string, Guard>; steps: Record<string, Step> };
type Break = (parts: Parts) => void;

const yes: Guard = { words: '', check: () => undefined };

function each(rows: OrderTransition[], event: OrderTransition['event'], change: (row: OrderTransition) => OrderTransition): void {
  for (const [index, row] of rows.entries()) if (row.event === event) rows[index] = change(row);
}

const without = (states: readonly OrderState[], gone: OrderState): OrderState[] => states.filter((state) => state !== gone);

function addRow(parts: Parts, row: Omit<OrderTransition, 'guard' | 'step'>, step: (draft: Draft, event: never) => void): void {
  parts.steps[`broken_${row.event}`] = step;
  parts.guards['yes'] = yes;
  parts.rows.push({ ...row, guard: 'yes' as OrderTransition['guard'], step: `broken_${row.event}` as OrderTransition['step'] });
}

/** Adds a move to a payout, whatever the rail's true state is. */
const also =
  (step: PayoutMove['step'], change: (node: PayoutNode) => Pick<PayoutMove, 'node' | 'pays' | 'reports'> | undefined): Moves =>
  (node) => {
    const more = node.status === 'in_doubt' ? change(node) : undefined;
    return [...payoutMoves(node), ...(more ? [{ step, who: 'S', ...more }] : [])];
  };
const notSent = (node: PayoutNode) =>
  node.truth === 'done' ? ({ node: { ...node, status: 'failed' }, pays: 0, reports: ['absent'] } as const) : undefined;

const BROKEN: Record<string, { readonly break?: Break; readonly moves?: Moves; readonly fault: RegExp }> = {
  'blind resend: no dedupe needed': {
    moves: also('resend', (node) => ({ node: { ...node, status: 'sending', truth: 'done' }, pays: 1, reports: [] })),
    fault: /^two sends out at once/,
  },
  'look-up "not found" believed too early': {
    moves: also('absent', notSent),
    fault: /^the books .* differ from the rail/,
  },
  'operator resolves a doubt without evidence': {
    moves: also('resolve_not_sent', notSent),
    fault: /^the books .* differ from the rail/,
  },
  'refund may be chosen while a payout is being sent': {
    break: (parts) =>
      addRow(
        parts,
        {
          from: ['paying'],
          event: 'choose_refund',
          who: 'O',
          next: ['refunding'],
          money: ['exchange_reverse', 'refund_intent'],
        },
        (draft) => {
          STEPS.failed(draft, { type: 'transfer_failed', isTransient: false });
          draft.post(postings.exchangeReverse(draft.order, draft.context.free.give));
          draft.queueRefund();
        },
      ),
    fault: /^\S+ below its floor/,
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
          next: ['paying'],
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
    fault: /^(two sends out at once|the books .* differ from the rail|out is not what its account holds)/,
  },
  'reversal ignored while the payout is queued': {
    break: (parts) => {
      each(parts.rows, 'payin_reversed', (row) =>
        row.from.includes('approving') ? { ...row, step: 'owe', next: ['same'], money: ['reversal_debt'] } : row,
      );
      each(parts.rows, 'transfer_final', (row) => ({ ...row, step: 'forget' as OrderTransition['step'] }));
      parts.steps['forget'] = (draft: Draft) => draft.go(draft.order.state === 'paying' ? 'completed' : 'refunded');
    },
    fault: /^at rest in .* with money in receivable/,
  },
  'a returned payout is not counted before it is sent again': {
    break: (parts) => {
      parts.steps['returned'] = (draft: Draft) => {
        const { sent: _, ...facts } = draft.order.facts;
        draft.order = { ...draft.order, facts };
        draft.go('undelivered', { isTransient: true });
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
        row.from[0] === 'choosing' ? { ...row, step: 'silence' as OrderTransition['step'], next: ['refunding', 'expired'] } : row,
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
      addRow(parts, { from: ['paying'], event: 'approve', who: 'O', next: ['paying'], money: ['payout_intent'] }, (draft) => {
        const { positions, facts } = draft.order;
        if (!facts.sent) return;
        draft.order = { ...draft.order, positions: { ...positions, out: facts.sent.parts } };
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
  /** A stranded order only shows after a complete exploration, so this world is small. */
  const small: Bounds = { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 };
  const breakIt = (how: Break | undefined, moves: Moves | undefined, fault: RegExp): Exploration => {
    const parts: Parts = { rows: [...ROWS], guards: { ...GUARDS }, steps: { ...STEPS } };
    how?.(parts);
    const machine: Machine = createMachine(parts.rows, parts.guards, parts.steps);
    return explore(machine, STARTS, fault.source.startsWith('^stranded') ? small : world, moves);
  };
  for (const [name, { break: how, moves, fault }] of Object.entries(BROKEN)) {
    test(name, () => assert.match(breakIt(how, moves, fault).fault ?? 'sound', fault));
  }
  test('there are twelve broken tables', () => assert.equal(Object.keys(BROKEN).length, 12));
});
