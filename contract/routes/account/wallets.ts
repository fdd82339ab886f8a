import { z } from 'zod';
import { route } from '../../route.ts';
import { accountFields, amount, currencyCode, day, inOrder, orderId, railName, time, unitCode } from '../../wire.ts';
import { pay } from '../exchange.ts';
import { accountField } from '../pricing.ts';

const wallet = { allows: 'user', tag: 'Wallets' } as const;

/** Address for paying into a wallet: always the same, for any amount from the minimum on. */
const depositPlace = z
  .object({
    kind: z.literal('address'),
    currency: currencyCode,
    network: z.string(),
    address: z.string(),
    memo: z.string().optional(),
    /** Smaller payments are not seen. */
    min: amount,
  })
  .meta({ id: 'DepositPlace' });

const walletState = z
  .object({
    /** Unit of the wallet. */
    currency: z.string(),
    available: amount,
    /** Reserved for withdrawals. */
    held: amount,
    /** Arrived but not usable: its rail can still reverse it, or its sender is being checked. */
    uncleared: amount,
    /** Seen but not final; not part of `total`. */
    pending: amount,
    /**
     * Debt to the desk after a spent deposit was reversed. New money settles it, and nothing leaves before. Not part of `total`.
     */
    owed: amount,
    total: amount,
    /** Present worth of the total, if there are rates. */
    value_usd: amount.nullable(),
  })
  .meta({ id: 'Wallet' });

const transaction = z
  .object({
    id: z.string(),
    at: time,
    /** Kind: `deposit`, `deposit_reversed`, … */
    kind: z.string(),
    currency: z.string(),
    /** Change; negative if money left. */
    change: z.string(),
    /** Available balance afterwards. */
    balance: amount,
    txid: z.string().optional(),
  })
  .meta({ id: 'WalletTransaction' });

const deposit = z
  .object({
    id: z.string(),
    /** Id of the requested deposit, or of the holder's own address. */
    place: z.uuid(),
    currency: currencyCode,
    unit: z.string(),
    /** Sum paid. The payment system kept `fee` of it; the rest is the holder's. */
    amount,
    fee: amount,
    txid: z.string(),
    /**
     * `seen`: arriving · `checking`: a person checks its sender · `maturing`: its payment system can reverse it until `free_at` ·
     * `final`: available · `returning`, `returned`: sent back · `dropped`, `reversed`: vanished before, or after it was final.
     */
    status: z.enum(['seen', 'checking', 'maturing', 'returning', 'final', 'dropped', 'reversed', 'returned']),
    /** While it is checked: papers requested of its holder, or received; null for none. */
    papers: z.enum(['asked', 'came']).nullable(),
    confirmations: z.int(),
    needed: z.int(),
    /** True while it lies at its own deposit address: the holder's money, but not yet sendable on this network. */
    unswept: z.boolean(),
    seen_at: time,
    final_at: time.nullable(),
    free_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'Deposit' });

/** A deposit requested at a payment system: how to pay it, and the payments. */
const requestedDeposit = z
  .object({
    id: z.uuid(),
    /** Number for people, which the payment system shows. */
    number: orderId,
    currency: z.string(),
    by: currencyCode,
    rail: railName,
    network: z.string(),
    /** Amount to pay; absent for a voucher, which has its own worth. */
    amount: amount.optional(),
    /** `preparing`: by its payment system · `open`: see `pay` · `refused`: by the payment system · `over`: nothing was paid. */
    status: z.enum(['preparing', 'open', 'paid', 'refused', 'over']),
    pay: pay.optional(),
    /** State of the voucher that was entered last: being checked (`taken`), or why it was refused. */
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
          /** `address`: see `/wallet/store`; otherwise each payment is requested by `/wallet/deposit/ask`. */
          kind: z.enum(['address', 'redirect', 'voucher']),
          min: amount,
          /** True if payments can be reversed for months; they are `uncleared` for that time. */
          is_reversible: z.boolean(),
          /** Fields that the payer must fill in. */
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
  summary: 'Open a wallet and get its deposit address, which is always the same',
  input: z.object({ currency: unitCode, rail: railName.optional() }),
  output: z.object({ ...walletState.shape, deposit: depositPlace.nullable() }),
  problems: ['deposits_closed'],
});

export const walletDepositAsk = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/deposit/ask',
  summary: 'Request a deposit at a payment system; the answer has the instructions for paying once the system has prepared it',
  input: z.object({
    currency: unitCode,
    rail: railName,
    amount: amount.optional().meta({ description: 'Not required for a voucher' }),
    payer: accountFields.optional(),
  }),
  output: requestedDeposit,
  problems: ['direction_closed', 'deposits_closed', 'rates_unavailable', 'level_needed'],
  isIdempotent: true,
});

export const walletDepositAsked = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/deposit/asked',
  summary: 'A deposit that the caller has requested at a payment system, and its payments',
  input: z.object({ id: z.uuid({ error: 'id_format' }) }),
  output: requestedDeposit,
  problems: ['not_found'],
});

export const walletDepositRedeem = route({
  ...wallet,
  method: 'POST',
  path: '/wallet/deposit/redeem',
  summary: 'Enter a voucher towards a deposit: entering it is the payment',
  input: z.object({ id: z.uuid({ error: 'id_format' }), fields: accountFields }),
  output: requestedDeposit,
  problems: ['not_found', 'order_changed', 'too_many_entries'],
  isIdempotent: true,
});

export const walletDeposits = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/deposits',
  summary: 'Payments into the caller’s wallets, newest first, including arriving ones',
  input: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  output: z.array(deposit),
  problems: [],
});

export const walletTransactions = route({
  ...wallet,
  method: 'GET',
  path: '/wallet/transactions',
  summary:
    'Entries of a wallet, newest first; for the next page set `before` to the last one’s `id`. `from` and `to` are days in UTC, both included',
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
