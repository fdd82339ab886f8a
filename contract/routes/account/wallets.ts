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
    /** Minimum payment; smaller payments to the address are ignored. */
    min: amount,
  })
  .meta({ id: 'DepositPlace' });

const walletState = z
  .object({
    /** Unit of the wallet. */
    currency: z.string(),
    available: amount,
    /** Sum that is reserved for withdrawals. */
    held: amount,
    /** Sum that arrived but isn't usable: its rail can still reverse it, or people check its sender. */
    uncleared: amount,
    /** Sum of payments that were seen but aren't final; not part of `total`. */
    pending: amount,
    /**
     * Debt to the desk after a deposit was reversed that the holder had already spent. New money settles the debt first, and no
     * money leaves before. Not part of `total`.
     */
    owed: amount,
    total: amount,
    /** Current worth of `total` in USD; null while there are no rates. */
    value_usd: amount.nullable(),
  })
  .meta({ id: 'Wallet' });

const transaction = z
  .object({
    id: z.string(),
    at: time,
    /** Kind of movement: `deposit`, `deposit_reversed`, … */
    kind: z.string(),
    currency: z.string(),
    /** Change of the available balance; negative if money left. */
    change: z.string(),
    /** Available balance after the change. */
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
    /** Sum that was paid. The payment system kept `fee` of this sum; the rest is the holder's. */
    amount,
    fee: amount,
    txid: z.string(),
    /**
     * `seen`: arriving · `checking`: people check the sender · `maturing`: the payment system can reverse the payment until
     * `free_at` · `final`: available · `returning`, `returned`: being sent back, or sent back · `dropped`: vanished before it was
     * final · `reversed`: taken back after it was final.
     */
    status: z.enum(['seen', 'checking', 'maturing', 'returning', 'final', 'dropped', 'reversed', 'returned']),
    /**
     * While people check the sender: papers were requested of the holder, or have been received. Null if no papers were
     * requested.
     */
    papers: z.enum(['asked', 'came']).nullable(),
    confirmations: z.int(),
    needed: z.int(),
    /**
     * True while the coin is still at the holder's deposit address: it is the holder's money, but can't be sent on this network
     * yet.
     */
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
    /** Number of the request for people, as the payment system shows it. */
    number: orderId,
    currency: z.string(),
    by: currencyCode,
    rail: railName,
    network: z.string(),
    /** Amount to pay; absent for a voucher, which has its own worth. */
    amount: amount.optional(),
    /**
     * `preparing`: the payment system prepares the payment · `open`: payable as `pay` says · `refused`: refused by the payment
     * system · `over`: expired without a payment.
     */
    status: z.enum(['preparing', 'open', 'paid', 'refused', 'over']),
    pay: pay.optional(),
    /** State of the voucher that was entered last: being checked (`taken`), or the reason why it was refused. */
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
          /** `address`: paid to the address of `/wallet/store`. Otherwise each payment is requested by `/wallet/deposit/ask`. */
          kind: z.enum(['address', 'redirect', 'voucher']),
          min: amount,
          /** True if the payment system can reverse payments for months; a deposit is part of `uncleared` for that time. */
          is_reversible: z.boolean(),
          /** Fields that the payer must fill in to request a deposit. */
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
