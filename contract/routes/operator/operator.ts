import { z } from 'zod';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { HOLDER_STOPS } from '../account/money-out.ts';
import { accountFields, amount, currencyCode, longPage, orderId, railName, time } from '../../wire.ts';
import { order, orderStatus } from '../exchange.ts';

/** Schema of a person's reason for an action; stored in the audit. */
export const reason = lines().min(3, { error: 'reason_too_short' }).max(500, { error: 'too_long' });

/** Actions of the desk on an order: those of operators and compliance in the order machine's transition table. */
export const orderAction = z
  .enum([
    'hold',
    'ask_papers',
    'papers_came',
    'release',
    'decide_refund',
    'approve',
    'stop',
    'refund',
    'retry',
    'resolve_sent',
    'resolve_not_sent',
    'freeze',
    'unfreeze',
    'surrender',
    'claim_give',
    'claim_get',
    'write_off',
  ])
  .meta({ id: 'OrderAct' });

/** Internal states of an order, as drawn in `docs/machines/order.md`. */
export const orderState = z
  .enum([
    'awaiting',
    'seen',
    'choosing',
    'holding',
    'approving',
    'queued',
    'sending',
    'in_doubt',
    'sent',
    'payout_failed',
    'r_queued',
    'r_sending',
    'r_in_doubt',
    'r_sent',
    'refund_failed',
    'unclaimed',
    'frozen',
    'expired',
    'cancelled',
    'completed',
    'refunded',
    'applied',
    'reversed',
    'surrendered',
    'charged_back',
  ])
  .meta({ id: 'OrderState' });

/** Content of an action as text fields, for example amount, address, place or evidence. */
const details = z.record(z.string(), z.string());

/**
 * Result of an action. `awaiting_second`: the action needs two people, and is stored as a request until a second person confirms
 * it.
 */
export const acted = z.object({ status: z.enum(['done', 'awaiting_second']), request: z.string().optional() });

const orderRow = z.object({
  id: orderId,
  kind: z.enum(['order', 'unallocated']),
  state: z.string(),
  status: orderStatus,
  from: z.string(),
  to: z.string().optional(),
  give: amount,
  get: amount.optional(),
  email: z.string(),
  waits_for: z.string().optional(),
  since: time,
  deadline: time.optional(),
});

export const operatorOrders = route({
  ...desk,
  allows: 'operator: orders.read',
  method: 'GET',
  path: '/operator/orders',
  summary: 'Orders, newest first; `waiting=1`: those that wait for a person, oldest first',
  input: z.object({
    ...longPage,
    state: z.array(orderState).optional(),
    waiting: z.enum(['0', '1']).default('0'),
    q: z.string().max(254).optional().meta({
      description: 'A part (three characters) of a number or an e-mail address; an account or a transaction, or its beginning',
    }),
  }),
  output: z.array(orderRow),
  problems: ['unauthorised', 'forbidden'],
  isList: true,
});

export const operatorOrder = route({
  ...desk,
  allows: 'operator: orders.read',
  method: 'GET',
  path: '/operator/order',
  summary: 'An order with its inner state, postings, payments and sends',
  input: z.object({ id: orderId }),
  output: z.object({
    order,
    /** The order's id in logs (`orderId`). */
    log_id: z.string(),
    state: z.string(),
    version: z.int(),
    actions: z.array(orderAction),
    /** Code of the problem that stops the order's payout now; an approval would be refused with the same problem. */
    stopped_by: z.string().optional(),
    events: z.array(
      z.object({ seq: z.int(), at: time, who: z.string(), event: z.string(), from: z.string(), to: z.string(), why: z.string() }),
    ),
    postings: z.array(z.object({ at: time, kind: z.string(), from: z.string(), to: z.string(), amount, unit: z.string() })),
    sends: z.array(
      z.object({
        id: z.string(),
        purpose: z.string(),
        status: z.string(),
        amount,
        currency: z.string(),
        txid: z.string().optional(),
      }),
    ),
    requests: z.array(z.object({ id: z.string(), action: z.string(), by: z.string(), reason: z.string(), at: time, details })),
  }),
  problems: ['unauthorised', 'forbidden', 'order_not_found'],
});

/** Problems that currently stop money from leaving. The action is refused, and the money goes on waiting. */
export const STOPS = [...HOLDER_STOPS, 'not_on_allow_list', 'account_closed'] as const;

export const operatorOrderAction = route({
  ...desk,
  allows: ['operator: orders.run', 'operator: orders.judge'],
  method: 'POST',
  path: '/operator/order/action',
  summary: 'Act on an order; an action of two people is requested by one and confirmed by another with the same call',
  input: z.object({
    id: orderId,
    action: orderAction,
    reason,
    /** For `resolve_sent` and `resolve_not_sent`: the rail's own statement. */
    evidence: lines().max(4000, { error: 'too_long' }).optional(),
    account: accountFields.optional(),
  }),
  output: acted.extend({ state: z.string() }),
  problems: [
    'unauthorised',
    'forbidden',
    'order_not_found',
    'order_changed',
    'action_not_open',
    'same_person',
    'request_differs',
    'account_refused',
    'record_altered',
    ...STOPS,
  ],
  isIdempotent: true,
});

export const operatorDirection = route({
  ...desk,
  allows: 'operator: directions.switch',
  method: 'POST',
  path: '/operator/direction',
  summary: 'Switch a direction on or off',
  input: z.object({ from: currencyCode, to: currencyCode, open: z.boolean(), reason }),
  output: z.object({ open: z.boolean() }),
  problems: ['unauthorised', 'forbidden', 'direction_unknown'],
});

export const operatorFeedCode = route({
  ...desk,
  allows: 'operator: feed.change',
  method: 'POST',
  path: '/operator/feed-code',
  summary: 'Set a currency’s code for exchange monitors in the rates feed (null: it is left out)',
  input: z.object({
    currency: currencyCode,
    code: z
      .string()
      .regex(/^[A-Z0-9_-]{1,20}$/i, { error: 'wrong_value' })
      .nullable(),
    reason,
  }),
  output: z.object({ code: z.string().nullable() }),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorPayouts = route({
  ...desk,
  allows: 'operator: payouts.switch',
  method: 'POST',
  path: '/operator/payouts',
  summary:
    'Switch a rail’s payouts, or (without `rail`) all payouts, off (one person) or on (two), as /operator/stop and /operator/start do; acts within a second, events are still recorded',
  input: z.object({ rail: railName.optional(), on: z.boolean(), reason }),
  /** `on`: state of the switch after the call. */
  output: acted.extend({ on: z.boolean() }),
  problems: ['unauthorised', 'forbidden', 'not_found', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorFund = route({
  ...desk,
  allows: 'operator: money.move',
  method: 'POST',
  path: '/operator/desk/fund',
  summary:
    'Book the desk’s own money that arrived in a hot wallet (capital in), or as fuel: two people above a bound. On a chain by its transaction, whose sum is read and which is booked once. It isn’t promised to customers before its payment system confirms it',
  input: z.object({
    currency: currencyCode,
    amount: amount.optional(),
    txid: line().max(200, { error: 'too_long' }).optional(),
    place: z.enum(['hot', 'fuel']).default('hot'),
    /** True if the money came from another rail of ours (rebalancing), so it is no new capital. */
    rebalance: z.boolean().default(false),
    reference: line().max(200, { error: 'too_long' }).optional(),
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'idempotency_mismatch', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorWithdraw = route({
  ...desk,
  allows: 'operator: money.move',
  method: 'POST',
  path: '/operator/desk/withdraw',
  summary: 'Send the desk’s own money out (capital out): two people',
  input: z.object({
    currency: currencyCode,
    amount,
    to: accountFields,
    /** True if the money goes to another rail of ours (rebalancing), so it isn't taken out as capital. */
    rebalance: z.boolean().default(false),
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs', 'not_enough_there', 'account_refused'],
  isIdempotent: true,
});

export const operatorDifference = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/desk/difference',
  summary:
    'Book a difference between a rail and the books, as `reserves` shows it, as unexplained: two people from the difference that stops new promises on',
  input: z.object({
    currency: currencyCode,
    place: z.enum(['hot', 'deposit', 'fuel']),
    /** `more` if the rail has more than the books. */
    side: z.enum(['more', 'less']),
    amount,
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'difference_changed', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorClear = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/desk/clear',
  summary: 'Assign unexplained money to where it belongs. Two people',
  input: z.object({
    currency: currencyCode,
    amount,
    /**
     * `free`: the surplus is the desk's · `order`: the surplus is a customer's and becomes an unallocated payment of their
     * order · `loss`: the missing money was lost · `network`: the missing money paid a network's fee · `rail`: the missing
     * money paid a provider's charge (such as a dispute's).
     */
    to: z.enum(['free', 'order', 'loss', 'network', 'rail']),
    /** For `order`: number of the customer's order. */
    order: orderId.optional(),
    /** For `order`: transaction of the payment. */
    txid: line().min(1, { error: 'required' }).max(200, { error: 'too_long' }).optional(),
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'same_person', 'request_differs', 'not_enough_there', 'order_not_found'],
  isIdempotent: true,
});

export const operatorStuck = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/desk/stuck',
  summary: 'Mark money that a rail does not let go as stuck (its currency then promises nothing), or as free again',
  input: z.object({ currency: currencyCode, amount, back: z.boolean().default(false), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_enough_there'],
  isIdempotent: true,
});

export const operatorFuel = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/desk/fuel',
  summary: 'Set coin of the hot wallet aside for gas, if that coin is exchanged, too; or release it',
  input: z.object({ currency: currencyCode, amount, back: z.boolean().default(false), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_enough_there'],
  isIdempotent: true,
});

export const operatorClose = route({
  ...desk,
  allows: 'operator: money.close',
  method: 'POST',
  path: '/operator/desk/close',
  summary: 'Close the books: earnings become the desk’s free money, which pays expenses',
  input: z.object({ reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'nothing_to_close'],
  isIdempotent: true,
});

export const operatorReserves = route({
  ...desk,
  allows: 'operator: money.read',
  method: 'GET',
  path: '/operator/reserves',
  summary: 'What the desk owns, owes, holds and can promise, and how the books compare with each rail',
  input: z.object({}),
  output: z.array(
    z.object({
      currency: z.string(),
      unit: z.string(),
      free: amount,
      /** Sum of booked differences that are not cleared; negative if the rails had less than the books. */
      unexplained: z.string(),
      stuck: amount,
      payable: amount,
      reserve: amount,
      places: z.array(
        z.object({
          place: z.string(),
          /** Unit of `books`, `rail` and `difference`. For fuel, it differs from the currency's unit. */
          unit: z.string(),
          books: amount,
          rail: amount.optional(),
          difference: z.string().optional(),
          at: time.optional(),
        }),
      ),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorAudit = route({
  ...desk,
  allows: 'operator: audit.read',
  method: 'GET',
  path: '/operator/audit',
  summary: 'Who did what, when and why',
  input: z.object({ ...longPage, by: z.string().max(60).optional(), subject: z.string().max(60).optional() }),
  output: z.array(
    z.object({
      at: time,
      by: z.string(),
      action: z.string(),
      subject: z.string(),
      reason: z.string(),
      outcome: z.string(),
      details,
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
  isList: true,
});

export const operatorRequests = route({
  ...desk,
  allows: 'operator: requests.read',
  method: 'GET',
  path: '/operator/requests',
  summary: 'Actions that wait for a second person',
  input: z.object({}),
  output: z.array(
    z.object({ id: z.string(), at: time, by: z.string(), action: z.string(), subject: z.string(), reason: z.string(), details }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorClock = route({
  ...desk,
  allows: 'operator: clock.move',
  method: 'POST',
  path: '/operator/clock',
  summary: 'Move the product’s clock on (refused in live mode)',
  input: z.object({
    skip: z
      .int()
      .min(0)
      .max(400 * 24 * 3600),
  }),
  output: z.object({ now: time }),
  problems: ['unauthorised', 'forbidden'],
});
