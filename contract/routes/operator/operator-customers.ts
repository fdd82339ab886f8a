import { z } from 'zod';
import { lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { email, moment, orderId, time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

/** Schema of evidence that a customer sent; stored in the audit. */
const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });
/**
 * Name of a customer: an e-mail, an order’s number, a key as the commands `known-by` and `debts` show it, `address:<payment
 * system>:<address>`, or `net:<IP address>`.
 */
const who = z.string().trim().min(3, { error: 'required' }).max(300, { error: 'too_long' });

export const operatorLevel = route({
  ...desk,
  allows: 'operator: customers.judge',
  method: 'POST',
  path: '/operator/level',
  summary:
    'Set the verification level of the account with an address: a higher one by two people with evidence, a lower one by one',
  input: z.object({ email, level: z.int().min(0).max(3), evidence: evidence.optional(), reason }),
  /** `level`: the holder's verification level after the call. */
  output: acted.extend({ level: z.int() }),
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorBlocks = route({
  ...desk,
  allows: 'operator: customers.read',
  method: 'GET',
  path: '/operator/blocks',
  summary: 'Customers who are blocked, the latest first',
  input: z.object({}),
  output: z.array(
    z.object({
      who: z.string(),
      keys: z.array(z.string()),
      by: z.string(),
      reason: z.string(),
      evidence: z.string(),
      since: time,
      /** Time at which the block ends automatically; absent for a block without end. */
      until: time.optional(),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorKnownBy = route({
  ...desk,
  allows: 'operator: customers.read',
  method: 'GET',
  path: '/operator/known-by',
  summary: 'Keys of an order’s customer, and the other orders that share them; each key can be blocked',
  input: z.object({ order: orderId }),
  output: z.array(
    z.object({
      /** Key in the form that `block` takes. */
      key: z.string(),
      /**
       * True if the key is proven to be the customer's. Otherwise the customer typed the key, or the key is the device or
       * network of the order.
       */
      shown: z.boolean(),
      /** Up to ten other orders with the same key, the newest first. Keys of devices and networks are stored for a month. */
      orders: z.array(z.string()),
    }),
  ),
  problems: ['unauthorised', 'forbidden', 'order_not_found'],
});

export const operatorBlock = route({
  ...desk,
  allows: 'operator: customers.judge',
  method: 'POST',
  path: '/operator/block',
  summary:
    'Block a customer by all proven keys: no payments are accepted from them, and nothing is sent to them. One person, at once',
  /** `until`: end of the block; required for a device or a network, and at most a year away. */
  input: z.object({ who, until: moment.optional(), evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'order_not_found'],
  isIdempotent: true,
});

export const operatorUnblock = route({
  ...desk,
  allows: 'operator: customers.judge',
  method: 'POST',
  path: '/operator/unblock',
  summary: 'Lift a block, by the name that `blocks` shows: two people',
  input: z.object({ who, evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'same_person', 'request_differs'],
  isIdempotent: true,
});
