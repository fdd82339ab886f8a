import { z } from 'zod';
import { route } from '../../route.ts';
import { accountFields, amount, currencyCode, day, inOrder, orderId, railName, time, unitCode } from '../../wire.ts';
import { pay } from '../exchange.ts';
import { accountField } from '../pricing.ts';

const wallet = { allows: 'user', tag: 'Wallets' } as const;

/** Where to pay into a wallet: always the same address, for any amount from the least one on. */
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
    /** Arrived, not to be used yet: its rail can take it back, or its sender is looked at. */
    uncleared: amount,
    /** Seen on its way in, not final: none of it is in `total`. */
    pending: amount,
    /**
     * Owed to the desk since a spent deposit was taken back: what comes in settles it, and nothing leaves before. None of it is
     * in `total`.
     */
    owed: amount,
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
    /** What was asked for, or the holder's own address. */
    place: z.uuid(),
    currency: currencyCode,
    unit: z.string(),
    /** What was paid; of it `fee` is what its payment system kept, the rest is the holder's. */
    amount,
    fee: amount,
    txid: z.string(),
    /**
     * `seen`: on its way · `checking`: a person looks at its sender · `maturing`: its payment system can take it back until
     * `free_at` · `final`: available · `returning`, `returned`: given back · `dropped`, `reversed`: gone, before and after.
     */
    status: z.enum(['seen', 'checking', 'maturing', 'returning', 'final', 'dropped', 'reversed', 'returned']),
    /** While it is checked: papers that its holder was asked for, or that have come; null for none. */
    papers: z.enum(['asked', 'came']).nullable(),
    confirmations: z.int(),
    needed: z.int(),
    /** It still lies at its own address: it is the holder's, and can't be sent on by this very network yet. */
    unswept: z.boolean(),
    seen_at: time,
    final_at: time.nullable(),
    free_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'Deposit' });

/** A deposit that was asked for at a payment system: how it is paid, and what came. */
const askedDeposit = z
  .object({
    id: z.uuid(),
    /** Its number for people: what the payment system shows. */
    number: orderId,
    currency: z.string(),
    by: currencyCode,
    rail: railName,
    network: z.string(),
    /** What is to be paid; absent of a voucher, which says itself what it is worth. */
    amount: amount.optional(),
    /** `preparing`: at its payment system · `open`: see `pay` · `refused`: the system won't take it · `over`: nothing came. */
    status: z.enum(['preparing', 'open', 'paid', 'refused', 'over']),
    pay: pay.optional(),
    /** What became of the voucher that was entered last: it is looked at, or why it is no good. */
    entry: z.enum(['taken', 'wrong', 'foreign', 'unavailable']).optional(),
    asked_at: time,
    expires_at: time,
    deposits: z.array(deposit),
  })
  .meta({ id: 'AskedDeposit' });

export const walletCurrencies = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/currency',
  summary: 'Units that a wallet can hold, and by which rails each is paid in',
  input: z.object({}),
  output: z.array(
    z.object({
      currency: z.string(),
      rails: z.array(
        z.object({
          rail: z.string(),
          currency: currencyCode,
          network: z.string(),
          /** `address`: see `/wallet/store`; else each payment is asked for by `/wallet/deposit/ask`. */
          kind: z.enum(['address', 'redirect', 'voucher']),
          min: amount,
          /** Its payments can be taken back for months: until then they are `uncleared`. */
          is_reversible: z.boolean(),
          /** What is asked of the payer. */
          payer_fields: z.array(accountField),
        }),
      ),
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
  allows: ['user', 'key: wallets.read'],
  method: 'GET',
  path: '/wallet',
  summary: 'The caller’s wallets, with what is available, held, uncleared, on its way in and owed',
  input: z.object({}),
  output: z.array(walletState),
  problems: [],
});

export const walletStore = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/store',
  summary: 'Open a wallet, and get where to pay into it: the same place each time it is asked for',
  input: z.object({ currency: unitCode, rail: railName.optional() }),
  output: z.object({ ...walletState.shape, deposit: depositPlace.nullable() }),
  problems: ['deposits_closed'],
});

export const walletDepositAsk = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/deposit/ask',
  summary: 'Ask for a deposit at a payment system: how it is paid stands in the answer once the system has prepared it',
  input: z.object({
    currency: unitCode,
    rail: railName,
    amount: amount.optional().meta({ description: 'Of a voucher it is not asked' }),
    payer: accountFields.optional(),
  }),
  output: askedDeposit,
  problems: ['direction_closed', 'deposits_closed', 'rates_unavailable', 'level_needed'],
  idempotent: true,
});

export const walletDepositAsked = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/deposit/asked',
  summary: 'A deposit that the caller has asked for at a payment system, and what came of it',
  input: z.object({ id: z.uuid({ error: 'id_format' }) }),
  output: askedDeposit,
  problems: ['not_found'],
});

export const walletDepositRedeem = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/deposit/redeem',
  summary: 'Enter a voucher towards a deposit: entering it is the payment',
  input: z.object({ id: z.uuid({ error: 'id_format' }), fields: accountFields }),
  output: askedDeposit,
  problems: ['not_found', 'order_changed', 'too_many_entries'],
  idempotent: true,
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
  input: z
    .object({
      currency: unitCode,
      before: z
        .string()
        .regex(/^[1-9][0-9]{0,17}$/, { error: 'wrong_value' })
        .optional(),
      from: day.optional(),
      to: day.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    })
    .refine(...inOrder),
  output: z.array(transaction),
  problems: [],
});
