import { z } from 'zod';
import { line, lines } from '../../../fields/free-text.ts';
import { route } from '../../../route.ts';
import { desk } from '../desk.ts';
import { amount, money, time } from '../../../wire.ts';
import { acted, reason } from '../operator.ts';

/**
 * Coin that a contract handed on to one of our addresses. The coin has no transaction to the address that polling could find.
 */
const growth = z.object({
  place: z.string(),
  network: z.string(),
  /** Number of the order that the address belongs to; absent for a wallet's address. */
  order: z.string().optional(),
  email: z.string(),
  amount: money,
  /** Last settled block before the coin arrived. */
  after_block: z.int(),
  /** Last block in which the coin can have arrived. */
  up_to_block: z.int(),
  since: time,
});

export const operatorArrivals = route({
  ...desk,
  allows: 'operator: arrivals.read',
  method: 'GET',
  path: '/operator/arrivals',
  summary:
    'Coin at our addresses that is credited to nobody, since a contract handed it on; the desk must find and book its transaction',
  input: z.object({}),
  output: z.array(growth),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorArrival = route({
  ...desk,
  allows: 'operator: arrivals.book',
  method: 'POST',
  path: '/operator/arrival/book',
  summary:
    'Book what a transaction handed on to an address, up to the unknown sum there; it then is a payment like any other. Two people, with evidence',
  input: z.object({
    place: line().min(1, { error: 'required' }).max(200, { error: 'too_long' }),
    txid: z
      .string()
      .trim()
      .regex(/^(0x)?[0-9a-f]{64}$/, { error: 'wrong_value' }),
    amount,
    evidence: lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' }),
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'not_enough_there', 'same_person', 'request_differs'],
  isIdempotent: true,
});
