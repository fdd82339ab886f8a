import { z } from 'zod';
import { confirmingCodes } from '../../confirming.ts';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { accountFields, amount, currencyCode, day, email, inOrder, page, railName, STOPPED, time, unitCode } from '../../wire.ts';

const own = { allows: 'user', tag: 'Wallets' } as const;
/** Fields that confirm an action: an authenticator's code if the holder has one, else a code mailed for this action. */
const codes = confirmingCodes('what `/wallet/confirm-about` gives for this very action');
/** Description of a field whose value is the `about` of `/user/email/get-otp`. */
const CONFIRMATION =
  'The value of `about` for `/user/email/get-otp` with `purpose` `money_out`; it binds the code to this action';
const CODES = ['code_required', 'code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong'] as const;
/** Problems that stop money from leaving a wallet, even if the holder has confirmed the action. */
export const HOLDER_STOPS = ['withdrawals_frozen', 'record_altered', 'debt_open', 'reversal_pending', ...STOPPED] as const;
/** Problems that stop rewards from leaving, in addition to those for a wallet. */
export const REWARD_STOPS = ['affiliate_suspended', 'rewards_owed'] as const;
const MONEY_OUT_PROBLEMS = [...HOLDER_STOPS, 'rates_unavailable', ...CODES] as const;

export const withdrawalStatus = z.enum(
  ['approving', 'queued', 'sending', 'in_doubt', 'sent', 'done', 'failed', 'returned', 'cancelled', 'rejected'],
  { error: 'wrong_value' },
);

const source = z.enum(['wallet', 'affiliate'], { error: 'wrong_value' });

const withdrawal = z
  .object({
    id: z.uuid(),
    /** Source of the money: a wallet, or rewards of an affiliate. */
    source,
    /** Unit of the wallet. */
    currency: z.string(),
    rail: z.string(),
    /** Currency that is sent. */
    by: currencyCode,
    network: z.string(),
    to: accountFields,
    /** Sum that leaves the wallet: the amount that arrives plus the fee. */
    amount,
    fee: amount,
    arrives: amount,
    status: withdrawalStatus,
    /** Reason why the withdrawal waits again after its approval, or why we cancelled it. Absent in any other case. */
    why: z
      .enum([
        'withdrawals_frozen',
        'debt_open',
        'debt_stops',
        'blocked',
        'not_on_allow_list',
        'above_bounds',
        ...REWARD_STOPS,
        'rewards_taken_back',
      ])
      .optional(),
    /** Number of operators who must approve the withdrawal. */
    people: z.int(),
    txid: z.string().optional(),
    confirmations: z.int().optional(),
    needed: z.int().optional(),
    /**
     * Present if the withdrawal bought a voucher whose number and code can be shown. `seen`: the holder has seen the voucher
     * before, so showing it again requires a confirmation.
     */
    voucher: z.enum(['unseen', 'seen']).optional(),
    /** True if the holder can still cancel the withdrawal. */
    can_cancel: z.boolean(),
    asked_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Withdrawal' });

const wanted = { currency: unitCode, rail: railName, amount, to: accountFields };

/** A limit in USD for a period, and the amount that is already used. */
const bound = z.object({ used: amount, limit: amount });

export const walletLimits = route({
  ...own,
  method: 'GET',
  path: '/wallet/limits',
  summary:
    'The limits of the caller’s level in USD, and what orders, transfers and withdrawals count against them in the last 24 hours and 30 days; and the amounts up to which a withdrawal needs no approval',
  input: z.object({}),
  output: z
    .object({
      level: z.int(),
      /** Maximum of one order, transfer or withdrawal. */
      at_once: amount,
      day: bound,
      /** Limit for 30 days, and the amount that is already used. `limit` is null if there is no limit. */
      month: z.object({ used: amount, limit: amount.nullable() }),
      /** Maximum of one withdrawal that needs no approval. */
      alone: amount,
      /** Maximum of all withdrawals without approval within a day, and the amount that is already used. */
      alone_day: bound,
      /** Amount above which two people must approve a withdrawal. */
      two_people: amount,
    })
    .meta({ id: 'WalletLimits' }),
  problems: [],
});

export const walletWithdrawQuote = route({
  ...own,
  method: 'POST',
  path: '/wallet/withdraw-quote',
  summary: 'A quote for a withdrawal: its cost, the sum that arrives, and the approvals that it needs. Changes nothing',
  input: z.object({ ...wanted, to: accountFields.optional(), source: source.optional() }),
  output: z.object({
    currency: z.string(),
    by: currencyCode,
    amount,
    fee: amount,
    arrives: amount,
    /** Minimum of a withdrawal, including its fee. */
    min: amount,
    available: amount,
    people: z.int(),
    confirmation: z
      .string()
      .meta({ description: `${CONFIRMATION}. Absent without \`to\`` })
      .optional(),
    /**
     * The receiving account: its label in the holder's address book, and the number and last time of the holder's withdrawals to
     * it. Absent without `to`.
     */
    known: z.object({ label: line().optional(), times: z.int(), last_at: time.nullable() }).optional(),
  }),
  problems: [...HOLDER_STOPS, 'rates_unavailable', 'withdrawal_closed'],
});

export const walletWithdrawRequest = route({
  ...own,
  method: 'POST',
  path: '/wallet/withdraw-request',
  summary:
    'Withdraw from a wallet: `amount` leaves it, and `amount` minus the fee arrives. `fee` is the one that was shown; if it has risen, nothing happens and the answer names the new fee',
  input: z.object({ ...wanted, fee: amount.optional(), ...confirmingCodes('the `confirmation` of its quote') }),
  output: withdrawal,
  problems: [...MONEY_OUT_PROBLEMS, 'not_enough_money', 'fee_changed', 'account_refused', 'withdrawal_closed'],
  isIdempotent: true,
});

export const userWithdrawStore = route({
  ...own,
  method: 'POST',
  path: '/user/withdraw/store',
  summary:
    'Withdraw an affiliate’s rewards, by the same rules as from a wallet. `currency` is the one that is sent; a mailed code is bound to the `confirmation` of a quote with `source` `affiliate`',
  input: z.object({
    currency: currencyCode,
    amount,
    to: accountFields,
    fee: amount.optional(),
    ...confirmingCodes('the `confirmation` of its quote'),
  }),
  output: withdrawal,
  problems: [...MONEY_OUT_PROBLEMS, 'not_enough_money', 'fee_changed', 'account_refused', 'withdrawal_closed', ...REWARD_STOPS],
  isIdempotent: true,
});

const withdrawalFilter = {
  status: z.array(withdrawalStatus, { error: 'wrong_value' }).max(10).optional(),
  currency: z.array(unitCode, { error: 'wrong_value' }).max(50).optional(),
  from: day.optional(),
  to: day.optional(),
  q: z.string().max(120, { error: 'too_long' }).optional(),
};

export const walletWithdrawRequests = route({
  ...own,
  method: 'GET',
  path: '/wallet/list/withdraw-request',
  summary: 'The caller’s withdrawals, newest first',
  input: z.object({ ...withdrawalFilter, ...page }).refine(...inOrder),
  output: z.array(withdrawal),
  problems: [],
  isList: true,
});

export const userWithdrawals = route({
  ...own,
  method: 'GET',
  path: '/user/withdraw/filter',
  summary: 'The same: the caller’s withdrawals, newest first',
  input: z.object({ ...withdrawalFilter, ...page }).refine(...inOrder),
  output: z.array(withdrawal),
  problems: [],
  isList: true,
});

export const walletWithdrawCancel = route({
  ...own,
  method: 'POST',
  path: '/wallet/withdraw-cancel',
  summary: 'Cancel a withdrawal that hasn’t left; all of it returns to the wallet',
  input: z.object({ id: z.uuid() }),
  output: withdrawal,
  problems: ['not_found', 'order_changed'],
});

export const walletWithdrawCancelWaiting = route({
  ...own,
  method: 'POST',
  path: '/wallet/withdraw-cancel-waiting',
  summary: 'Cancel all of the caller’s withdrawals that haven’t left; also possible while the account is frozen',
  input: z.object({}),
  output: z.object({ cancelled: z.int() }),
  problems: ['order_changed'],
});

export const walletWithdrawVoucher = route({
  ...own,
  method: 'POST',
  path: '/wallet/withdraw-voucher',
  summary: 'Show the voucher that a withdrawal bought: number and code. After the first time it takes a confirmation',
  input: z.object({ id: z.uuid(), ...codes }),
  output: z.object({ fields: accountFields, until: time }),
  problems: ['not_found', 'nothing_to_show', 'voucher_sealed', ...HOLDER_STOPS, ...REWARD_STOPS, ...CODES],
});

export const walletTransfer = route({
  ...own,
  method: 'POST',
  path: '/wallet/transfer',
  summary:
    'Move money into the wallet of another account holder, named by the address of their account: at once and without a fee',
  input: z.object({
    currency: unitCode,
    amount,
    to: email,
    note: line().max(140, { error: 'too_long' }).optional(),
    ...codes,
  }),
  output: z.object({ id: z.uuid(), currency: z.string(), amount, to: z.string(), at: time }),
  problems: [...MONEY_OUT_PROBLEMS, 'not_enough_money', 'no_such_holder', 'account_refused'],
  isIdempotent: true,
});

export const walletConfirmation = route({
  ...own,
  method: 'POST',
  path: '/wallet/confirm-about',
  summary:
    'The value of `about` for `/user/email/get-otp`: for a transfer, a new address or person in the address book, showing a voucher again, or switching the allow-list off',
  input: z.object({
    action: z.enum(['transfer', 'address', 'person', 'voucher', 'allow_list'], { error: 'wrong_value' }),
    currency: unitCode.optional(),
    rail: railName.optional(),
    amount: amount.optional(),
    email: email.optional(),
    to: accountFields.optional(),
    /** Withdrawal whose voucher is to be shown again. */
    id: z.uuid().optional(),
  }),
  output: z.object({ confirmation: z.string().meta({ description: CONFIRMATION }) }),
  problems: [],
});

const book = z
  .object({
    /** True if money leaves only to addresses in the holder's address book. */
    allow_list: z.boolean(),
    /** End of the time in which a switched off allow-list still applies. */
    allow_list_until: time.nullable(),
    addresses: z.array(
      z.object({
        id: z.uuid(),
        /**
         * `person`: another account holder, who can be paid in every unit. `to` is then the `email`, and the fields of the
         * currency are empty.
         */
        kind: z.enum(['address', 'person']),
        currency: z.string(),
        rail: z.string(),
        network: z.string(),
        to: accountFields,
        label: line(),
        /** Time from which money may go to this address while the allow-list is on. */
        usable_at: time,
        usable: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'AddressBook' });

export const walletAddresses = route({
  ...own,
  method: 'GET',
  path: '/wallet/address-book',
  summary: 'The caller’s address book, and whether money may go to its addresses only',
  input: z.object({}),
  output: book,
  problems: [],
});

export const walletAddressStore = route({
  ...own,
  method: 'POST',
  path: '/wallet/address-book',
  summary: 'Add an address to the address book, or rename it',
  input: z.object({
    currency: unitCode,
    rail: railName,
    to: accountFields,
    label: line().min(1, { error: 'required' }).max(60, { error: 'too_long' }),
    ...codes,
  }),
  output: book,
  problems: [...CODES],
});

export const walletPersonStore = route({
  ...own,
  method: 'POST',
  path: '/wallet/address-book/person',
  summary: 'Add another account holder, by e-mail, to the address book, so that transfers to them pass the allow-list',
  input: z.object({ email, label: line().min(1, { error: 'required' }).max(60, { error: 'too_long' }), ...codes }),
  output: book,
  problems: [...CODES, 'no_such_holder'],
});

export const walletAddressRemove = route({
  ...own,
  method: 'POST',
  path: '/wallet/address-book/remove',
  summary: 'Remove an address from the address book',
  input: z.object({ id: z.uuid() }),
  output: book,
  problems: ['not_found'],
});

export const walletAllowList = route({
  ...own,
  method: 'POST',
  path: '/wallet/allow-list',
  summary: 'Switch the allow-list on (at once) or off (a day after the confirmation)',
  input: z.object({ on: z.boolean(), ...codes }),
  output: book,
  problems: [...CODES],
});
