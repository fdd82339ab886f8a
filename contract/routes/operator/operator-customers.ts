import { z } from 'zod';
import { lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { email, time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

/** What somebody has shown, as it was sent; kept in the audit. */
const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });
/** An e-mail, an order’s number, or a key as `debts` shows them. */
const who = z.string().trim().min(3, { error: 'required' }).max(300, { error: 'too_long' });

export const operatorLevel = route({
  ...desk,
  allows: 'operator: customers.judge',
  method: 'POST',
  path: '/operator/level',
  summary:
    'Set the verification level of the account with an address: a higher one by two people with evidence, a lower one by one',
  input: z.object({ email, level: z.int().min(0).max(3), evidence: evidence.optional(), reason }),
  /** `level`: as it is now. */
  output: acted.extend({ level: z.int() }),
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  idempotent: true,
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
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorBlock = route({
  ...desk,
  allows: 'operator: customers.judge',
  method: 'POST',
  path: '/operator/block',
  summary: 'Take nothing more from a customer and send nothing to them, by what is shown to be theirs; at once, by one person',
  input: z.object({ who, evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'order_not_found'],
  idempotent: true,
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
  idempotent: true,
});
