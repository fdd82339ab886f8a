import { z } from 'zod';
import { route } from '../route.ts';
import { amount, currencyCode, time } from '../wire.ts';

const wallet = { who: 'user', tag: 'Wallets' } as const;
const railName = z.string().regex(/^[a-z0-9-]{2,30}$/, { error: 'rail_unknown' });

/** Where to pay into a wallet: always the same place, for any amount from the least one on. */
const depositPlace = z
  .object({
    kind: z.literal('address'),
    currency: currencyCode,
    network: z.string(),
    address: z.string(),
    memo: z.string().optional(),
    /** A payment below it is no more than dust and is not seen. */
    min: amount,
  })
  .meta({ id: 'DepositPlace' });

const walletState = z
  .object({
    /** The unit that the wallet holds. */
    currency: z.string(),
    available: amount,
    /** Asked to leave. */
    held: amount,
    /** Arrived by a rail that can take it back, not matured. */
    uncleared: amount,
    /** Seen on its way in, not final: none of it is in `total`. */
    pending: amount,
    total: amount,
    /** What the total is worth now, where there are rates. */
    value_usd: amount.nullable(),
  })
  .meta({ id: 'Wallet' });

const transaction = z
  .object({
    id: z.string(),
    at: time,
    /** What happened: `deposit`, `deposit_reversed`, … */
    kind: z.string(),
    currency: z.string(),
    /** What it changed; below zero where money left. */
    change: z.string(),
    /** What was available after it. */
    balance: amount,
    txid: z.string().optional(),
  })
  .meta({ id: 'WalletTransaction' });

const deposit = z
  .object({
    id: z.string(),
    currency: currencyCode,
    unit: z.string(),
    amount,
    txid: z.string(),
    status: z.enum(['seen', 'checking', 'final', 'dropped', 'reversed']),
    confirmations: z.int(),
    needed: z.int(),
    seen_at: time,
    final_at: time.nullable(),
  })
  .meta({ id: 'Deposit' });

export const walletCurrencies = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/currency',
  summary: 'Units that a wallet can hold, and by which rails each is paid in',
  input: z.object({}),
  output: z.array(
    z.object({
      currency: z.string(),
      rails: z.array(z.object({ rail: z.string(), currency: currencyCode, network: z.string(), min: amount })),
    }),
  ),
  problems: [],
});

export const walletUserCurrencies = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/user/currencies',
  summary: 'Units that the caller has wallets of',
  input: z.object({}),
  output: z.array(z.string()),
  problems: [],
});

export const wallets = route({
  ...wallet,
  method: 'GET',
  path: '/wallet',
  summary: 'The caller’s wallets, with what is available, held, uncleared and on its way in',
  input: z.object({}),
  output: z.array(walletState),
  problems: [],
});

export const walletStore = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/store',
  summary: 'Open a wallet, and get where to pay into it: the same place each time it is asked for',
  input: z.object({ currency: z.string().max(20), rail: railName.optional() }),
  output: z.object({ ...walletState.shape, deposit: depositPlace.nullable() }),
  problems: ['direction_closed'],
});

export const walletDeposits = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/deposits',
  summary: 'Payments into the caller’s wallets, newest first, those on their way in among them',
  input: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  output: z.array(deposit),
  problems: [],
});

export const walletTransactions = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/transactions',
  summary:
    'What moved in a wallet, newest first; the next page is asked for with `before` = the last one’s `id`. `from` and `to` are days in UTC, both included',
  input: z.object({
    currency: z.string().max(20),
    before: z
      .string()
      .regex(/^[1-9][0-9]{0,18}$/, { error: 'wrong_value' })
      .optional(),
    from: z.iso.date({ error: 'day_format' }).optional(),
    to: z.iso.date({ error: 'day_format' }).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  output: z.array(transaction),
  problems: [],
});
