import { z } from 'zod';
import { codeHandle, confirmingCodes, mailedCode } from '../confirming.ts';
import { route } from '../route.ts';
import {
  account,
  accountFields,
  amount,
  currencyCode,
  email,
  id,
  money,
  orderId,
  railName,
  rate,
  STOPPED,
  time,
  token,
} from '../wire.ts';
import { accountField, feeLine, quote, quoteInput, statedPrice } from './pricing.ts';
import { receipt } from './receipts.ts';
import { COUPON_REFUSED } from './rewards/coupons.ts';
import { HOLDER_STOPS } from './account/money-out.ts';

/** Status of an order for customers. */
export const orderStatus = z
  .enum([
    ...(['waiting', 'seen', 'confirming', 'checking', 'choose', 'paying', 'done'] as const),
    ...(['expired', 'cancelled', 'refunding', 'refunded', 'rejected'] as const),
  ])
  .meta({ id: 'OrderStatus' });

/** Instructions for paying. */
export const pay = z
  .object({
    kind: z.enum(['address', 'redirect', 'voucher']),
    address: z.string().optional(),
    amount: amount.optional(),
    currency: z.string(),
    network: z.string(),
    /**
     * Link that opens a payer's wallet app. For a token, the link may name the token's contract first, so never show it as a QR
     * code.
     */
    uri: z.string().optional(),
    /** Text for a QR code. `holds`: the text has the address alone, or address and amount. */
    code: z.object({ text: z.string(), holds: z.enum(['address', 'address_and_amount']) }).optional(),
    memo: z.string().optional(),
    method: z.enum(['GET', 'POST']).optional(),
    url: z.string().optional(),
    /** For the kind `redirect`: fields of the form to post. For the kind `voucher`: fields that the customer must enter. */
    fields: z.union([z.record(z.string(), z.string()), z.array(accountField)]).optional(),
    expires_at: time,
  })
  .meta({ id: 'Pay' });

/** A movement of an order's money: the customer's payment, or our payout or refund. */
export const transfer = z
  .object({
    kind: z.enum(['payment', 'payout', 'refund']),
    money,
    status: z.enum(['seen', 'confirming', 'final', 'dropped', 'reversed', 'queued', 'sending', 'sent', 'done', 'failed']),
    txid: z.string().optional(),
    confirmations: z.int().optional(),
    needed: z.int().optional(),
    at: time,
    late: z.boolean().optional(),
  })
  .meta({ id: 'Transfer' });

export const choiceName = z.enum([
  'continue',
  'refund',
  'new_order',
  'new_account',
  'give_route',
  'name_direction',
  'take_back',
  'claim_give',
  'claim_get',
]);

export const choice = z
  .object({
    choice: choiceName,
    /** Sum that the customer gets by this choice. */
    money: money.optional(),
    /** Number of the offer: a quote at the current rate, valid for three minutes. */
    offer: z.int().optional(),
    /** Sum that the choice exchanges: (`give` − `fees` + `discounts`) at `rate` is `money`. */
    give: money.optional(),
    rate: rate.optional(),
    fees: z.array(feeLine).optional(),
    discounts: z.array(feeLine).optional(),
    expires_at: time.optional(),
    needs_code: z.boolean(),
    /** Currency of the account that this choice requires. */
    account: z.object({ currency: z.string() }).optional(),
    /** Currencies that the money can be exchanged for. The choice requires one of them, as `to`, and an account of it. */
    currencies: z.array(z.string()).optional(),
  })
  .meta({ id: 'Choice' });

export const timelineRow = z
  .object({
    seq: z.int(),
    at: time,
    event: z.string().meta({
      description:
        'What happened: a word of the order machine (`payin_seen`, `accepted`, …), or `sending_progress`, with `txid` and `needed` of our transaction once it is in a block',
    }),
    status: orderStatus,
    params: z.record(z.string(), z.string()),
  })
  .meta({ id: 'TimelineRow' });

const promisedMinutes = z.int().positive().optional().meta({
  description:
    'Minutes within which the payout is handed to its rail once the payment is final, fits and is clean. The customer’s own steps, checks of compliance, a clearing period and approvals that the review announced don’t count',
});

const confirmations = z.int().optional().meta({
  description:
    'Present confirmations of its payments that are not final. They change with each block, while `seq` stays. Absent if no such payment is in a block',
});

export const order = z
  .object({
    id: orderId,
    kind: z.enum(['order', 'unallocated']),
    status: orderStatus,
    /**
     * Reason for the status, a key of the words under `reasons`: `short`, `late`, `low_fee`, `unconfirmed`, `account_refused`, …
     */
    reason: z.string().optional(),
    created_at: time,
    updated_at: time,
    /** End of the rate's lock. */
    expires_at: time,
    late: z.boolean(),
    held: z.boolean(),
    ...statedPrice,
    arrived: money.optional(),
    /** Sum that is still missing; present while paying it keeps the locked rate. */
    due: money.optional(),
    /** Time at which a payment below the amount is exchanged automatically at the locked rate. */
    short_at: time.optional(),
    receive: account.optional(),
    refund: account.optional(),
    /** Empty for an unallocated payment whose payer left no address. */
    email: z.string(),
    /** True if the customer has to give an address first: until then there are no choices. */
    needs_email: z.literal(true).optional(),
    /** Instructions for paying; absent while nothing is due, and while the provider prepares the payment. */
    pay: pay.optional(),
    /** True if the provider refused the payment: the order can't be paid, only placed again. */
    pay_refused: z.boolean().optional(),
    /** State of the voucher that was entered last: being checked (`taken`), or the reason why it was refused. */
    entry: z.enum(['taken', 'wrong', 'foreign', 'unavailable']).optional(),
    /**
     * Present if the order bought a voucher that can be shown. `seen`: somebody has seen the voucher, so showing it again
     * requires a mailed code.
     */
    voucher: z.enum(['unseen', 'seen']).optional(),
    transfers: z.array(transfer),
    choices: z.array(choice),
    choose_by: time.optional(),
    /** Latest end of the current check, approval or hold; absent if no end can be promised. */
    deadline: time.optional(),
    screening: z.enum(['none', 'done']).optional(),
    can_cancel: z.boolean(),
    timeline: z.array(timelineRow),
    /**
     * Other orders of the same payment address: the original order, and an unallocated payment for each payment that didn't fit.
     */
    related: z.array(z.object({ id: orderId, token, kind: z.enum(['order', 'unallocated']), give: money })),
    /** For an unallocated payment: the related order that this payment was added to. */
    applied_to: orderId.optional(),
    /** For an unallocated payment: the related order that used a part of the payment; this order has the rest. */
    rest_of: orderId.optional(),
    /** For an unallocated payment: the invoice for which it was paid. */
    paid_for: orderId.optional(),
    promised_minutes: promisedMinutes,
    /** Signed terms that were promised when the order was placed; they never change. Absent for an unallocated payment. */
    receipt: receipt.optional(),
    seq: z.int(),
    confirmations,
  })
  .meta({ id: 'Order' });

/** An order without secrets, for callers who may read it but act neither on it nor on the related orders. */
export const orderToRead = order
  .extend({ related: z.array(z.object({ id: orderId, kind: order.shape.kind, give: money })) })
  .meta({ id: 'OrderToRead' });

const calculation = z
  .object({
    id,
    token: token.optional(),
    step: z.int(),
    quote,
    email: z.string().optional(),
    receive: account.optional(),
    refund: account.optional(),
    ask_me: z.boolean().optional(),
    /** Sides of the exchange that are the account holder's own wallets. */
    wallet: z.enum(['give', 'get', 'both']).optional(),
    /**
     * `sender`: the price has changed, because the contact address is bound to another affiliate than the one of step 1's link.
     */
    price_changed: z.enum(['sender']).optional(),
    /** Coupon code of the calculation. The quote's discounts show if the coupon still applies. */
    coupon: z.string().optional(),
    expires_at: time,
  })
  .meta({ id: 'Calculation' });

export const review = calculation
  .extend({
    lock_minutes: z.int(),
    held: z.boolean(),
    /** True if the payout will wait for an operator's approval. */
    waits_for_approval: z.boolean(),
    promised_minutes: promisedMinutes,
    /**
     * True if e-mail addresses can have discounts. The owner of such an address gets a letter with a button that applies them.
     * The value is the same for every address.
     */
    mails_discounts: z.boolean(),
    refund_costs: money,
    smallest_refund: money,
    confirmations: z.string(),
    receipt,
  })
  .meta({ id: 'Review' });

const draft = { id, token: token.optional() };
/** Schema of the code that is mailed to confirm a choice, or to show a bought voucher. */
export const orderCode = mailedCode('`/order/get-otp`').optional();
/** Confirmation of an order that is paid from a wallet. */
const confirming = confirmingCodes('the calculation’s `id`; only of an order that is paid from a wallet');

/** Problems of a calculation that can't be continued, by anybody or by visitors. */
const OF_CALCULATION = [
  'calculation_not_found',
  'calculation_expired',
  'calculation_used',
  'sign_in_needed',
  'level_needed',
] as const;

export const calculation_ = route({
  method: 'GET',
  path: '/calculation',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Calculation',
  summary: 'The present state of a calculation',
  input: z.object(draft),
  output: calculation,
  problems: OF_CALCULATION,
});

export const step1 = route({
  method: 'POST',
  path: '/calculation/step1',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Calculation',
  summary: 'Begin a calculation from a quote’s input (with `id`: change its direction or amount)',
  input: quoteInput.extend({ id: id.optional(), token: token.optional() }),
  output: calculation,
  problems: ['direction_unknown', 'direction_closed', 'rates_unavailable', ...OF_CALCULATION, ...COUPON_REFUSED],
  isIdempotent: true,
});

export const step2 = route({
  method: 'POST',
  path: '/calculation/step2',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Calculation',
  summary: 'Wallet information: where to receive, where a refund goes, the contact address',
  input: z.object({
    ...draft,
    receive: accountFields.meta({ description: 'Empty for a side that is the caller’s wallet' }),
    refund: accountFields,
    email,
    terms_accepted: z.literal(true, { error: 'terms_not_accepted' }),
    ask_me: z.boolean().default(false),
    /** True to continue without the coupon of step 1. */
    without_coupon: z.boolean().optional(),
  }),
  output: calculation,
  problems: [...OF_CALCULATION, 'account_refused', 'record_altered', 'rates_unavailable', 'direction_closed', ...COUPON_REFUSED],
});

export const step3 = route({
  method: 'POST',
  path: '/calculation/step3',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Calculation',
  summary: 'The review: everything that the order will contain, with a quote held for 3 minutes',
  input: z.object({ ...draft, bot_token: z.string().max(5000).optional() }),
  output: review,
  problems: [
    ...OF_CALCULATION,
    'calculation_incomplete',
    'bot_check_required',
    'bot_check_failed',
    'bot_check_unavailable',
    'rates_unavailable',
    'direction_closed',
    'too_many_unpaid_orders',
    ...STOPPED,
    ...COUPON_REFUSED,
  ],
});

export const placed = order.extend({ token }).meta({ id: 'PlacedOrder' });

/** Problems of a mailed code. */
export const MAILED = ['code_required', 'code_wrong', 'code_expired'] as const;

export const processOrder = route({
  method: 'POST',
  path: '/calculation/process-order',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Orders',
  summary: 'Place the order',
  input: z.object({
    ...draft,
    ...confirming,
  }),
  output: placed,
  problems: [
    ...OF_CALCULATION,
    'calculation_incomplete',
    'quote_expired',
    'market_moved',
    'review_changed',
    'direction_closed',
    'rates_unavailable',
    'too_many_unpaid_orders',
    'account_refused',
    'record_altered',
    ...HOLDER_STOPS,
    ...COUPON_REFUSED,
    'not_enough_money',
    ...MAILED,
    'two_factor_required',
    'two_factor_wrong',
  ],
  isIdempotent: true,
});

/** Fields that identify an order: its number and secret. */
export const placedOrder = { id: orderId, token };

export const processTransaction = route({
  method: 'POST',
  path: '/calculation/process-transaction',
  allows: 'public',
  tag: 'Orders',
  summary: 'Instructions for paying an order. An order paid from a wallet was paid when placed and needs nothing here',
  input: z.object({ order_id: orderId, token: token.optional(), gateway: railName.optional(), ...confirming }),
  output: z.object({ pay }),
  problems: ['order_not_found', 'record_altered', 'order_changed', 'gateway_unknown'],
});

export const expire = route({
  method: 'POST',
  path: '/calculation/expire',
  allows: 'public',
  tag: 'Orders',
  summary: 'End a calculation, or cancel an unpaid order, and free its reserve',
  input: z.object({ id: z.union([orderId, id]), token: token.optional() }),
  output: z.object({ id: z.string(), status: z.enum(['expired', 'cancelled']) }),
  problems: ['calculation_not_found', 'order_not_found', 'record_altered', 'order_changed'],
  isIdempotent: true,
});

export const trackOrder = route({
  method: 'GET',
  path: '/calculation/track-order',
  allows: 'public',
  hasEffect: true,
  tag: 'Orders',
  summary: 'The order with its timeline (by token); by e-mail only the status, and a mail with the link',
  input: z.object({ id: orderId, token: token.optional(), email: email.optional() }),
  output: z.union([order, z.object({ id: orderId, status: orderStatus, updated_at: time, link_mailed: z.literal(true) })]),
  problems: ['order_not_found', 'record_altered'],
});

export const orderStatusRoute = route({
  method: 'GET',
  path: '/order/status',
  allows: 'public',
  tag: 'Orders',
  summary:
    'The status of an order; as a stream of server-sent events (`event: order`, and `event: message` for its chat; resumable by id) with `Accept: text/event-stream`',
  input: z.object(placedOrder),
  /** `messages`: version of the order's chat; absent before the first message. */
  output: z.object({ status: orderStatus, updated_at: time, seq: z.int(), confirmations, messages: z.int().optional() }),
  problems: ['order_not_found', 'record_altered'],
  hasStream: true,
});

export const orderGetOtp = route({
  method: 'POST',
  path: '/order/get-otp',
  allows: 'public',
  tag: 'Orders',
  summary: 'Mail a one-time code for a choice that decides about money',
  input: z.object({ ...placedOrder, handle: codeHandle.optional() }),
  output: z.object({ handle: codeHandle, expires_in: z.int(), resend_in: z.int() }),
  problems: ['order_not_found', 'record_altered'],
});

export const orderEmail = route({
  method: 'POST',
  path: '/order/email',
  allows: 'public',
  tag: 'Orders',
  summary: 'Give an unallocated payment an e-mail address, if it has none; letters and codes go there',
  input: z.object({ ...placedOrder, email }),
  output: order,
  problems: ['order_not_found', 'order_changed', 'record_altered'],
  isIdempotent: true,
});

export const orderChoose = route({
  method: 'POST',
  path: '/order/choose',
  allows: 'public',
  tag: 'Orders',
  summary: 'Choose what happens with a short, extra, late, refused or unclaimed payment',
  input: z.object({
    ...placedOrder,
    otp: orderCode,
    handle: codeHandle.optional(),
    two_factor_code: confirming.two_factor_code,
    choice: choiceName,
    offer: z.int().optional(),
    /** Currency to get, for the choice `name_direction`. */
    to: currencyCode.optional(),
    account: accountFields.optional(),
  }),
  output: order,
  problems: [
    'order_not_found',
    'order_changed',
    'choice_not_open',
    'offer_expired',
    ...MAILED,
    'two_factor_required',
    'two_factor_wrong',
    'withdrawals_frozen',
    'account_refused',
    'record_altered',
  ],
  isIdempotent: true,
});
