import { z } from 'zod';
import { route } from '../../route.ts';
import { currencyCode, day, inOrder, money, orderId, page, time, token } from '../../wire.ts';
import { orderStatus, orderToRead, placed } from '../exchange.ts';

/** Lists of an account holder's orders. Filters take days in UTC. */

/** Filters for an account holder's orders. */
export const orderFilter = {
  status: z.array(orderStatus, { error: 'wrong_value' }).max(12).optional(),
  currency: z.array(currencyCode, { error: 'wrong_value' }).max(50).optional(),
  from: day.optional(),
  to: day.optional(),
  q: z.string().max(120, { error: 'too_long' }).optional(),
};

/** An order in a list. */
export const ownOrder = z
  .object({
    id: orderId,
    token: token.optional().meta({ description: 'Secret of the order; absent if its row was altered' }),
    kind: z.enum(['order', 'unallocated']),
    status: orderStatus,
    created_at: time,
    updated_at: time,
    /** End of the rate's lock. */
    expires_at: time,
    give: money,
    get: money.optional(),
    /**
     * While a payment is below the amount: time until which the missing rest may be paid, before which the customer need not
     * choose. The same as `short_at` of `Order`.
     */
    short_at: time.optional(),
    /** Version of the order, which increases with each event. A client resumes the live stream from this version. */
    seq: z.int(),
  })
  .meta({ id: 'OwnOrder' });

const own = { allows: 'user', tag: 'Account' } as const;

export const userOrders = route({
  ...own,
  allows: ['user', 'key: orders.read'],
  method: 'GET',
  path: '/user/order/filter',
  summary:
    'The account holder’s orders, newest first: those placed with a session of theirs, and those placed without one with their verified address. `from` and `to` are days in UTC, both included; `q` is a part of a number, an address, a transaction, or an amount that was sent or received; the filter treats `seen` and `confirming` as one',
  input: z.object({ ...orderFilter, ...page }).refine(...inOrder),
  output: z.array(ownOrder),
  forKeys: z.array(ownOrder.omit({ token: true }).meta({ id: 'OwnOrderToRead' })),
  problems: [],
  isList: true,
});

export const userOrder = route({
  ...own,
  allows: ['user', 'key: orders.read'],
  method: 'GET',
  path: '/user/order',
  summary: 'One order of the account holder, with the secret for its other calls; API keys get no secrets',
  // GET that changes data: reading creates a new offer if the customer has to choose one.
  hasEffect: true,
  input: z.object({ id: orderId }),
  output: placed.meta({ id: 'OwnOrderWhole' }),
  forKeys: orderToRead,
  problems: ['order_not_found', 'record_altered'],
});

export const userOrderFigures = route({
  ...own,
  method: 'GET',
  path: '/user/order/figures',
  summary:
    'How many of the account holder’s orders are open, and what they exchanged on each of the last 30 days (UTC), in USD; or of the last 7 or 90',
  input: z.object({
    days: z.coerce
      .number()
      .pipe(z.literal([7, 30, 90], { error: 'wrong_value' }))
      .default(30),
  }),
  output: z.object({
    total: z.int(),
    open: z.int(),
    exchanged: money,
    days: z.array(z.object({ day: z.iso.date(), orders: z.int(), exchanged: money })),
  }),
  problems: [],
});

/** Input of an export of orders: the list's filters, and the format. */
export const orderExportInput = z
  .object({
    ...orderFilter,
    format: z.enum(['csv', 'xlsx'], { error: 'wrong_value' }).default('csv'),
  })
  .refine(...inOrder);

export const orderExportTicket = route({
  ...own,
  method: 'POST',
  path: '/export/order-transactions/ticket',
  summary:
    'A one-use link, valid for 60 s, that downloads the account holder’s orders: for a browser, whose links carry no session',
  input: orderExportInput,
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
});
