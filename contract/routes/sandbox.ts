import { z } from 'zod';
import { route } from '../route.ts';
import { amount, currencyCode, email, money, orderId, time, token } from '../wire.ts';

const sandbox = { allows: 'sandbox', tag: 'Sandbox', problems: [] } as const;
const chain = z.enum(['bitcoin', 'evm', 'bsc', 'tron']);

export const sandboxMail = route({
  ...sandbox,
  method: 'GET',
  path: '/sandbox/mail',
  summary: 'The mails sent to an address, newest first',
  input: z.object({ to: email.optional() }),
  output: z.array(z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), at: time })),
});

export const sandboxPay = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/pay',
  summary: 'Pay from a fresh account of the sandbox customer, in real test money on the test chain',
  input: z.object({
    order_id: orderId.optional(),
    token: token.optional(),
    currency: currencyCode.optional(),
    to: z.string().max(200).optional(),
    amount: amount.optional(),
    /** For bitcoin. `low`: a fee too low for confirmation in time. */
    fee: z.enum(['normal', 'low']).default('normal'),
    /** For bitcoin: true if the transaction signals that it may be replaced. */
    replaceable: z.boolean().default(false),
  }),
  output: z.object({ txid: z.string(), from: z.string(), paid: money }),
  problems: ['order_not_found', 'nothing_due'],
  isIdempotent: true,
});

export const sandboxMine = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/mine',
  summary: 'Mine blocks now',
  input: z.object({ chain, blocks: z.int().min(1).max(500).default(1) }),
  output: z.object({ height: z.int() }),
});

export const sandboxReorg = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/reorg',
  summary: 'Replace the newest blocks; their transactions return to the mempool, or are dropped for good',
  input: z.object({ chain, depth: z.int().min(1).max(64), drop: z.boolean().default(false) }),
  output: z.object({ height: z.int() }),
});

export const sandboxBalance = route({
  ...sandbox,
  method: 'GET',
  path: '/sandbox/balance',
  summary: 'Balance of an account on the rail itself',
  input: z.object({ currency: currencyCode, account: z.string().max(200) }),
  /** Below zero where a payer has taken back what the account had spent. */
  output: z.object({ amount: z.string(), currency: currencyCode }),
});

export const sandboxAddress = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/address',
  summary: 'A fresh account of the sandbox customer, to receive at',
  input: z.object({ currency: currencyCode }),
  output: z.object({ address: z.string() }),
});

export const sandboxLevel = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/level',
  summary: 'Set the verification level of the account with an address, as the desk would after papers',
  input: z.object({ email, level: z.int().min(0).max(3) }),
  output: z.object({ level: z.int() }),
  problems: ['validation'],
});

export const sandboxClock = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/clock',
  summary: 'Move the product’s clock on',
  input: z.object({
    skip: z
      .int()
      .min(0)
      .max(400 * 24 * 3600),
  }),
  output: z.object({ now: time }),
});

const share = z.number().min(0).max(1).default(0);

export const sandboxFaults = route({
  ...sandbox,
  method: 'POST',
  path: '/sandbox/faults',
  summary: 'How often a rail’s counterpart, or the market sources (`rates`), misbehave; zero restores them',
  input: z.object({
    /** Name of a chain (`bitcoin`, `evm`, `bsc`, `tron`) or a provider, or `rates`. */
    rail: z.string().max(20),
    lost_replies: share,
    duplicates: share,
    delays: share,
    hangs: share,
    errors: share,
    wrong_signatures: share,
  }),
  output: z.object({ rail: z.string() }),
});
