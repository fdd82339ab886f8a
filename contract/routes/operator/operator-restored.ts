import { z } from 'zod';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { amount, currencyCode, money, time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

/** Schema of the evidence for a decision: a statement, or a list of the comparisons made. Stored in the audit. */
const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });

export const operatorRestored = route({
  ...desk,
  allows: 'operator: restored.read',
  method: 'GET',
  path: '/operator/restored',
  summary:
    'Whether the database may be older than past payments (it was restored from a backup), the findings, and the sends that the books don’t know. Nothing is paid out in this mode',
  input: z.object({}),
  output: z.object({
    /** True while the restored mode is on: no payouts leave until two people end the mode. */
    restored: z.boolean(),
    since: time.optional(),
    /** Reasons for the mode: one sentence for each. */
    why: z.array(z.string()),
    /** Sends that a chain, a provider or the signer's journal knows and the books don’t, the oldest first. */
    sends: z.array(
      z.object({
        id: z.uuid(),
        rail: z.string(),
        /** Source that knows of the send: `chain`, `provider` or `journal`. */
        source: z.string(),
        /** Id of the transaction or transfer; the nonce if nothing else is known of the send. */
        reference: z.string(),
        currency: z.string().optional(),
        amount: amount.optional(),
        to: z.string().optional(),
        /** Time of the send, from its source. */
        at: time.optional(),
        found_at: time,
        /** The payouts that this send made, or may have made: owner and current status. */
        payouts: z.array(z.object({ id: z.string(), owner: z.string(), status: z.string() })),
        /** Command that decides about the send. */
        next: z.string(),
      }),
    ),
  }),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRestoredEnd = route({
  ...desk,
  allows: 'operator: restored.end',
  method: 'POST',
  path: '/operator/restored/end',
  summary:
    'End the restored mode: money may leave again. Two people. The ends of the chains of books and audit are noted again from this database',
  input: z.object({ evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'action_not_open', 'same_person', 'request_differs'],
  isIdempotent: true,
});

/** One of our own addresses that was used before, and the balances there. */
const usedAddress = z.object({
  index: z.int(),
  /** True for an address that received the change of one of our own payouts. */
  change: z.boolean(),
  address: z.string(),
  holds: z.array(money),
  /** True if the books didn't know the address before the scan. */
  new: z.boolean(),
});

export const operatorScan = route({
  ...desk,
  allows: 'operator: money.correct',
  method: 'POST',
  path: '/operator/scan',
  summary:
    'Find which of our own addresses with some indexes were ever used on a chain, and add unknown ones to the books: they are swept and watched from then on, and never handed out. Moves and books no money',
  input: z.object({
    rail: line().min(1, { error: 'required' }).max(40, { error: 'too_long' }),
    from: z
      .int()
      .min(0)
      .max(2 ** 30 - 101),
    count: z.int().min(1).max(100),
    reason,
  }),
  output: z.object({ used: z.array(usedAddress) }),
  problems: ['unauthorised', 'forbidden', 'not_found', 'unavailable'],
});

export const operatorRestoredBook = route({
  ...desk,
  allows: 'operator: doubts.decide',
  method: 'POST',
  path: '/operator/restored/book',
  summary:
    'Decide about a send that the books don’t know: it was a payout of these books (`sent`: never sent again), its receiver is unknown to these books (`unknown`: unexplained, to be cleared), or there is nothing to book (`explained`). Two people',
  input: z.object({
    id: z.uuid(),
    action: z.enum(['sent', 'unknown', 'explained'], { error: 'wrong_value' }),
    /** For `sent`: the payouts that this send made, if they differ from the payouts that were found for the send. */
    payouts: z.array(z.uuid()).max(1000).optional(),
    /** For `sent`: id of the transaction, if only a used nonce is known. */
    txid: line().min(1).max(200).optional(),
    /** For `unknown`: currency of the send, if it was not found. */
    currency: currencyCode.optional(),
    /** For `unknown`: amount of the send, if it was not found. */
    amount: line().min(1).max(80).optional(),
    evidence,
    reason,
  }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'action_not_open', 'same_person', 'request_differs', 'not_enough_there'],
  isIdempotent: true,
});
