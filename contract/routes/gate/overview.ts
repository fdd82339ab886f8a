// The call of the page that a holder of stores sees first.

import { z } from 'zod';
import { route } from '../../route.ts';
import { day, id, money } from '../../wire.ts';
import { invoiceState } from './invoice-wire.ts';

export const storesOverview = route({
  allows: 'user',
  tag: 'Stores',
  method: 'GET',
  path: '/stores/overview',
  summary:
    'What the caller’s stores received: balances and reserves, invoices that wait for somebody, and sales of 30 days. Only of stores where the caller may read that; test stores are left out',
  input: z.object({}),
  output: z.object({
    /** Balances of the stores together, by unit. */
    balances: z.array(money),
    /** Reserves of the stores together, by unit: of payments that can be taken back for months. */
    reserves: z.array(money),
    /** Invoices on which somebody works or waits, by store and state; states without invoices are left out. */
    waiting: z.array(z.object({ store: id, state: invoiceState, count: z.int() })),
    sales: z.object({
      /** Worth now of the paid invoices that were made in these days, in USD. */
      sum: money,
      invoices: z.int(),
      /** The last 30 days, the oldest first, in UTC. */
      days: z.array(z.object({ day, sum: money, invoices: z.int() })),
    }),
  }),
  problems: [],
});
