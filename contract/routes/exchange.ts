import { z } from 'zod';
import { codeHandle, confirmingCodes, mailedCode } from '../confirming.ts';
import { route } from '../route.ts';
import { account, accountFields, amount, email, id, money, orderId, railName, rate, STOPPED, time, token } from '../wire.ts';
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
    /** Opens a payer's wallet app. For a token it may name the token's contract first, so never show it as a QR code. */
    uri: z.string().optional(),
    /** Text for a QR code, and its content. */
    code: z.object({ text: z.string(), holds: z.enum(['address', 'address_and_amount']) }).optional(),
    memo: z.string().optional(),
    method: z.enum(['GET', 'POST']).optional(),
    url: z.string().optional(),
    /** `redirect`: fields of the form · `voucher`: fields to enter. */
    fields: z.union([z.record(z.string(), z.string()), z.array(accountField)]).optional(),
    expires_at: time,
  })
  .meta({ id: 'Pay' });

/** A payment towards the order, or one of ours: payout or refund. */
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
  'take_back',
  'claim_give',
  'claim_get',
]);

export const choice = z
  .object({
    choice: choiceName,
    /** Sum that the customer gets by it. */
    money: money.optional(),
    /** Number of the offer: a quote at the current rate, valid for three minutes. */
    offer: z.int().optional(),
    /** Sum that is exchanged: minus `fees`, plus `discounts`, at `rate`, it gives `money`. */
    give: money.optional(),
    rate: rate.optional(),
    fees: z.array(feeLine).optional(),
    discounts: z.array(feeLine).optional(),
    expires_at: time.optional(),
    needs_code: z.boolean(),
    /** Currency of the account that this choice requires. */
    account: z.object({ currency: z.string() }).optional(),
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
    /** Until when the rate is locked. */
    expires_at: time,
    late: z.boolean(),
    held: z.boolean(),
    ...statedPrice,
    arrived: money.optional(),
    /** Sum still missing, while paying it keeps the rate. */
    due: money.optional(),
    /** When a payment below the amount is exchanged automatically at the locked rate. */
    short_at: time.optional(),
    receive: account.optional(),
    refund: account.optional(),
    email: z.string(),
    /** Absent while nothing is due, and while the provider prepares the payment. */
    pay: pay.optional(),
    /** True if the provider refused the payment: the order can't be paid, only placed again. */
    pay_refused: z.boolean().optional(),
    /** State of the voucher that was entered last: being checked (`taken`), or why it was refused. */
    entry: z.enum(['taken', 'wrong', 'foreign', 'unavailable']).optional(),
    /** Present if a voucher was bought and can be shown. Once somebody has seen it (`seen`), showing it takes a mailed code. */
    voucher: z.enum(['unseen', 'seen']).optional(),
    transfers: z.array(transfer),
    choices: z.array(choice),
    choose_by: time.optional(),
    /** Latest end of a check, an approval or a hold; absent if none can be promised. */
    deadline: time.optional(),
    screening: z.enum(['none', 'done']).optional(),
    can_cancel: z.boolean(),
    timeline: z.array(timelineRow),
    /** Other orders of the same payment address: the original one, and one for each payment that didn't fit. */
    related: z.array(z.object({ id: orderId, token, kind: z.enum(['order', 'unallocated']), give: money })),
    /** The one among them that this payment was added to. */
    applied_to: orderId.optional(),
    /** The one among them that took all that it could use of the payment; this order is the rest. */
    rest_of: orderId.optional(),
    promised_minutes: promisedMinutes,
    /** Terms promised when the order was placed; never changes. Absent for an unallocated payment. */
    receipt: receipt.optional(),
    seq: z.int(),
    confirmations,
  })
  .meta({ id: 'Order' });

/** An order without the secrets that allow acting on it or on those of its payment address. */
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
    /** Sides that are the account holder's wallets. */
    wallet: z.enum(['give', 'get', 'both']).optional(),
    /** `sender`: the contact address belongs to another referrer's customer than the link of step 1, so the price has changed. */
    price_changed: z.enum(['sender']).optional(),
    /** Coupon code of the calculation. The quote's discounts show whether it still applies. */
    coupon: z.string().optional(),
    expires_at: time,
  })
  .meta({ id: 'Calculation' });

export const review = calculation
  .extend({
    lock_minutes: z.int(),
    held: z.boolean(),
    /** True if the amount will wait for an operator's approval. */
    waits_for_approval: z.boolean(),
    promised_minutes: promisedMinutes,
    /** True if addresses may have discounts here: the owner of such an address gets a letter with a button. */
    mails_discounts: z.boolean(),
    refund_costs: money,
    smallest_refund: money,
    confirmations: z.string(),
    receipt,
  })
  .meta({ id: 'Review' });

const draft = { id, token: token.optional() };
/** Schema of the code that is mailed for a choice, or for showing a purchase. */
export const orderCode = mailedCode('`/order/get-otp`').optional();
/** Confirmation of an order that is paid from a wallet. */
const confirming = confirmingCodes('the calculation’s `id`; only of an order that is paid from a wallet');

/** Problems of a calculation that can't go on, for anybody or for visitors. */
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
  /** `messages` is the version of its chat, once there is one. */
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
