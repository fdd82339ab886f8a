// Calls of members and API keys about a store's refunds and their claims.

import { z } from 'zod';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { accountFields, amount, currencyCode, email, id, longPage, money, orderId, time, unitCode } from '../../wire.ts';
import { invoiceId } from './invoice-wire.ts';
import { ofStore, storeId } from './stores.ts';

const ofRefunds = { ...ofStore, tag: 'Refunds' } as const;
const MAKERS = ['user: refunds.create', 'key: refunds.create'] as const;
const READERS = ['user: invoices.read', 'key: invoices.read'] as const;
/** Problems that stop money of a store. */
const STOPS = ['store_closed', 'business_owes', 'record_altered', 'rates_unavailable'] as const;

export const refundState = z.enum(['open', 'claimed', 'paying', 'paid', 'expired', 'cancelled'], { error: 'wrong_value' }).meta({
  id: 'RefundState',
  description:
    '`open`: can be claimed by its link · `claimed`: a claim waits for a member of the store or for the desk · `paying`: a claim is being paid · `paid` · `expired`: what nobody claimed is back on the balance · `cancelled`: what nobody had claimed is back on the balance',
});

export const claimStatus = z
  .enum(['confirming', 'approving', 'paying', 'done', 'refused', 'failed', 'returned'], { error: 'wrong_value' })
  .meta({
    id: 'ClaimStatus',
    description:
      '`confirming`: waits for a member of the store · `approving`: waits for the desk · `paying` · `done`: it has arrived · `refused` · `failed`: nothing was sent · `returned`: it came back. Money of the last three can be claimed again',
  });

/** Fields of a claim that its claimant sees, too. */
export const claimRow = {
  id,
  status: claimStatus,
  /** Sum that was claimed, in the unit of the refund. */
  claimed: money,
  /** Cost of sending within this sum, in the same unit. */
  fee: money,
  /** Amount that arrives. */
  receives: money,
  method: currencyCode,
  network: z.string(),
  to: accountFields,
  /** True if it goes back to the payment by which the invoice was paid, and to no other account. */
  to_payment: z.boolean(),
  /** True if nothing was sent because the payer had taken that payment back: they have the money already. */
  payment_reversed: z.boolean(),
  txid: z.string().optional(),
  at: time,
};

export const refundClaimInStore = z
  .object({
    ...claimRow,
    refund: id,
    /** Worth in USD when it was claimed. */
    usd: amount,
    /** Code of the reason for which it waits or ended. */
    reason: z.string().optional(),
  })
  .meta({ id: 'RefundClaim' });

/** Fields of a refund that lists and events have, too. */
export const refundRow = {
  id,
  number: orderId,
  state: refundState,
  /** Invoice that is refunded. */
  invoice: invoiceId.optional(),
  /** Stated amount, or its worth in the currency of the invoice. */
  amount: money,
  /** Sum that was taken from the balance. */
  taken: money,
  /** Sums that nobody has claimed, by unit: another unit than the taken one came back from a claim. */
  left: z.array(money),
  /** Sums that returned to the balance. */
  returned: z.array(money),
  email: z.string().optional(),
  created_at: time,
  expires_at: time,
  version: z.int(),
  /** True for a test store, in which no money moves. */
  test: z.boolean(),
};

export const refundInList = z.object(refundRow).meta({ id: 'RefundInList' });

export const storeRefundView = z
  .object({
    ...refundRow,
    store: id,
    /** Number of the invoice that is refunded. */
    invoice_number: orderId.optional(),
    note: lines().optional(),
    /**
     * Address of the page on which the refund is claimed, with its secret, which is all that a claim needs. Only the owner and the
     * member or key that made the refund see it. Absent if all of it goes back to payments.
     */
    url: z.string().optional(),
    claims: z.array(refundClaimInStore),
    events: z.array(
      z.object({
        version: z.int(),
        at: time,
        event: z.enum(['created', 'claimed', 'paid', 'returned', 'failed', 'expired', 'cancelled']),
        claim: id.optional(),
        state: refundState,
      }),
    ),
  })
  .meta({ id: 'Refund' });

export const refundMake = route({
  ...ofRefunds,
  allows: [...MAKERS, 'key: refunds.propose'],
  method: 'POST',
  path: '/store/:store/refunds/make',
  summary:
    'Make a refund. Its sum leaves the balance at once, at the middle rate of the unit, and is claimed by the link in `url`. Without `invoice`, the claimant’s level bounds it. Claims above the cap of the caller’s role or key wait for a member; those of a key with `refunds.propose` alone always do. What was paid by a method whose payments can be taken back goes back to that payment by a claim that the refund makes, not by the link',
  input: z.object({
    ...storeId,
    invoice: invoiceId.optional(),
    amount,
    currency: unitCode.optional().meta({ description: 'Currency of `amount`; by default that of the invoice or the store' }),
    unit: unitCode.optional().meta({ description: 'Unit of the balance that is taken; by default that of the settlement' }),
    email: email.optional().meta({ description: 'With it, a claim needs a code that is mailed there' }),
    note: lines().max(300, { error: 'too_long' }).optional().meta({ description: 'Words that the claimant reads' }),
    language: z.enum(['en', 'ru'], { error: 'wrong_value' }).optional(),
  }),
  output: storeRefundView,
  problems: [
    ...STOPS,
    'invoice_unknown',
    'refund_too_large',
    'refund_not_covered',
    'withdrawals_frozen',
    'not_enough_in_store',
    'not_deep_yet',
    'payment_disputed',
    'method_closed',
    'unavailable',
  ],
  isIdempotent: true,
});

/** Fields that filter a store's refunds. */
export const refundFilter = {
  state: z.array(refundState, { error: 'wrong_value' }).max(6).optional(),
  q: z.string().max(120, { error: 'too_long' }).optional().meta({
    description: 'A number of a refund or an invoice, or an e-mail address',
  }),
};

export const refunds = route({
  ...ofRefunds,
  allows: READERS,
  method: 'GET',
  path: '/store/:store/refunds',
  summary: 'A store’s refunds, newest first',
  input: z.object({ ...storeId, ...refundFilter, ...longPage }),
  output: z.array(refundInList),
  problems: [],
  isList: true,
});

export const storeRefund = route({
  ...ofRefunds,
  allows: READERS,
  method: 'GET',
  path: '/store/:store/refund',
  summary: 'A refund with its claims and its events, and with its link for its maker and the owner',
  input: z.object({ ...storeId, id }),
  output: storeRefundView,
  problems: ['refund_unknown', 'record_altered'],
});

export const refundCancel = route({
  ...ofRefunds,
  allows: MAKERS,
  method: 'POST',
  path: '/store/:store/refunds/cancel',
  summary: 'Cancel a refund: what nobody has claimed returns to the balance. Claims that were made go on',
  input: z.object({ ...storeId, id }),
  output: storeRefundView,
  problems: ['refund_unknown', 'refund_over', 'record_altered'],
  isIdempotent: true,
});

export const refundClaims = route({
  ...ofRefunds,
  allows: READERS,
  method: 'GET',
  path: '/store/:store/claims',
  summary: 'Claims that wait for a member of the store, the oldest first',
  input: z.object({ ...storeId, ...longPage }),
  output: z.array(refundClaimInStore),
  problems: [],
  isList: true,
});

const decision = {
  ...ofRefunds,
  allows: ['user: refunds.approve', 'key: refunds.approve'],
  method: 'POST',
  input: z.object({ ...storeId, id }),
  output: storeRefundView,
  isIdempotent: true,
} as const;

export const claimConfirm = route({
  ...decision,
  path: '/store/:store/claims/confirm',
  summary:
    'Confirm a claim that waits for a member. A manager and a key confirm claims up to their cap. At most what the claimant was shown arrives: less if the rate has fallen since',
  problems: [...STOPS, 'refund_unknown', 'order_changed', 'method_closed', 'withdrawals_frozen'],
});

export const claimRefuse = route({
  ...decision,
  path: '/store/:store/claims/refuse',
  summary: 'Refuse a claim that waits for a member: its sum can be claimed again',
  problems: ['refund_unknown', 'order_changed', 'record_altered'],
});

/** An amount of an invoice that can be refunded. */
const refundOption = z.object({
  amount,
  /** Sum that a refund of it takes from the balance now; absent while there is no rate, and if it can't be refunded. */
  takes: money.optional(),
  /** Sum that it takes from the reserve besides: what goes back to payments that can be taken back comes from there first. */
  takes_reserve: money.optional(),
  /** Sum that the free balance lacks for it; absent if it lacks nothing, or if more balance would not help. */
  lacks: money.optional(),
  /** True if earlier refunds and the free balance leave room for it. */
  open: z.boolean(),
});

export const refundAmounts = route({
  ...ofRefunds,
  allows: MAKERS,
  method: 'GET',
  path: '/store/:store/refunds/amounts',
  summary:
    'The amounts of an invoice that can be refunded, in its currency, each with what it takes from the balance and from the reserve',
  input: z.object({ ...storeId, invoice: invoiceId }),
  output: z
    .object({
      currency: unitCode,
      /** Amount that was paid then. */
      paid: refundOption,
      /** Worth now of the coins that were paid; absent while there is no rate. */
      worth: refundOption.optional(),
      /** Sums that were paid too much. Their payers decide about them on the page of the invoice; nothing is taken. */
      over: z.array(money),
      /** Sum of earlier refunds. */
      refunded: amount,
      /** The most that can be refunded now. */
      most: refundOption,
      /** The balance in the unit that is taken, and the part of it that is free. */
      balance: money,
      free: money,
      /** Currencies of payments that can be taken back for months: their part of a refund goes back to them. */
      to_payments: z.array(currencyCode),
      /** True if a part of a refund is claimed by its link. */
      has_link: z.boolean(),
    })
    .meta({ id: 'RefundAmounts' }),
  problems: ['invoice_unknown', 'record_altered'],
});

const usdCap = amount.meta({ description: 'Sum in USD in 24 hours' });

const refundCapsView = z
  .object({
    /** Cap of the store's managers together. */
    managers: usdCap,
    keys: z.array(z.object({ id, name: line(), cap: usdCap })),
  })
  .meta({ id: 'RefundCaps' });

export const refundCaps = route({
  ...ofRefunds,
  allows: 'user: members.manage',
  method: 'GET',
  path: '/store/:store/refunds/caps',
  summary:
    'The sums in 24 hours up to which claims go out without the owner: of managers together, and of each API key that refunds',
  input: z.object(storeId),
  output: refundCapsView,
  problems: [],
});

export const refundCapSet = route({
  ...ofRefunds,
  allows: 'user: members.manage',
  method: 'POST',
  path: '/store/:store/refunds/cap',
  summary: 'Set the cap of the managers, or of an API key',
  input: z.object({ ...storeId, key: id.optional(), cap: usdCap }),
  output: refundCapsView,
  problems: ['not_found', 'record_altered', 'withdrawals_frozen'],
  isIdempotent: true,
});
