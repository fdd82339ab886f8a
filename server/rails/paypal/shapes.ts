import { z } from 'zod';

/**
 * Shapes of the fields that we read from PayPal's answers (Orders v2 2.13, Payments v2 2.5, Payouts v1 1.9, Webhooks v1 1.11 of
 * paypal/paypal-rest-api-specifications). They are strict about money: an unknown status or a missing amount makes the whole
 * answer unreadable, and nothing is concluded from it.
 */
const amount = z.object({ currency_code: z.string(), value: z.string() });
const links = z.array(z.object({ href: z.string(), rel: z.string() })).default([]);
const time = z.iso.datetime({ offset: true });

export const token = z.object({ access_token: z.string().min(1), expires_in: z.int().positive() });

export const refund = z.object({
  id: z.string().min(1),
  status: z.enum(['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED']),
  amount,
  custom_id: z.string().optional(),
  links,
});
export type PayPalRefund = z.output<typeof refund>;

export const capture = z.object({
  id: z.string().min(1),
  status: z.enum(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
  amount,
  custom_id: z.string().optional(),
  create_time: time.optional(),
  update_time: time.optional(),
  seller_receivable_breakdown: z
    .object({ paypal_fee: amount.optional(), receivable_amount: amount.optional(), exchange_rate: z.unknown().optional() })
    .optional(),
  /** Missing in the API file, but present in every published answer. */
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
  links,
});
export type PayPalCapture = z.output<typeof capture>;

const payer = z.object({ email_address: z.string().optional(), payer_id: z.string().optional() });
const wallet = z.object({ email_address: z.string().optional(), account_id: z.string().optional() });

export const order = z.object({
  id: z.string().min(1),
  update_time: time.optional(),
  status: z.enum(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        amount,
        payee: z.object({ merchant_id: z.string().optional() }).optional(),
        payments: z
          .object({ captures: z.array(z.object({ id: z.string().min(1) })).default([]), refunds: z.array(refund).default([]) })
          .optional(),
      }),
    )
    .length(1),
  payer: payer.optional(),
  payment_source: z.object({ paypal: wallet.optional() }).optional(),
});
export type PayPalOrder = z.output<typeof order>;

/** The answer to a new order, by the fields that even its short form has. */
export const opened = z.object({ id: z.string().min(1), status: z.string(), links });

const header = z.object({
  payout_batch_id: z.string().min(1),
  batch_status: z.enum(['DENIED', 'PENDING', 'PROCESSING', 'SUCCESS', 'CANCELED']),
  sender_batch_header: z.object({ sender_batch_id: z.string().optional() }),
});
const payoutAmount = z.object({ currency: z.string(), value: z.string() });

export const batch = z.object({
  batch_header: header,
  items: z
    .array(
      z.object({
        payout_item_id: z.string().min(1),
        transaction_status: z
          // Only older documents of PayPal have the last three.
          .enum([
            'SUCCESS',
            'FAILED',
            'PENDING',
            'UNCLAIMED',
            'RETURNED',
            'ONHOLD',
            'BLOCKED',
            'REFUNDED',
            'REVERSED',
            'DENIED',
            'CANCELED',
            'NEW',
          ])
          .optional(),
        payout_item_fee: payoutAmount.optional(),
        payout_item: z.object({ receiver: z.string(), amount: payoutAmount, sender_item_id: z.string().optional() }),
      }),
    )
    .default([]),
});
export type PayPalBatch = z.output<typeof batch>;
export const madeBatch = z.object({ batch_header: header });

/** A refusal. A repeated batch names the original one by `link` inside a detail, a field that the API file lacks. */
export const refusal = z.object({
  name: z.string(),
  message: z.string().default(''),
  details: z
    .array(
      z.object({
        issue: z.string().default(''),
        field: z.string().optional(),
        link: z.array(z.object({ href: z.string() })).default([]),
      }),
    )
    .default([]),
  links,
});

export type PayPalRefusal = z.output<typeof refusal>;

/** Answer of `GET /v1/reporting/balances` (Transaction Search 1.9, not among the committed files). */
export const balances = z.object({
  balances: z.array(z.looseObject({ currency: z.unknown() })),
  as_of_time: z.unknown().optional(),
  last_refresh_time: z.unknown().optional(),
});
export const balanceTime = time.optional();
export const balance = z.object({ total_balance: amount, available_balance: amount.optional() });

/** Answer of `GET /v1/customer/disputes` (Customer Disputes v1, not among the committed files). */
export const disputes = z.object({
  items: z.array(z.object({ dispute_id: z.string(), status: z.string() })).default([]),
  links,
});

export const webhooks = z.object({ webhooks: z.array(z.object({ id: z.string(), url: z.string() })).default([]) });
export const verified = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

/** A message. The fields of `resource` depend on its type. */
export const event = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  resource: z.object({
    id: z.string().optional(),
    custom_id: z.string().optional(),
    purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
    supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
    links: links.optional(),
    sender_batch_id: z.string().optional(),
    payout_item: z.object({ sender_item_id: z.string().optional() }).optional(),
    batch_header: z
      .object({
        payout_batch_id: z.string().optional(),
        sender_batch_header: z.object({ sender_batch_id: z.string().optional() }).optional(),
      })
      .optional(),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
  }),
});
export type PayPalEvent = z.output<typeof event>;
export const events = z.object({ events: z.array(z.unknown()).default([]), links });
export type PayPalEvents = z.output<typeof events>;
