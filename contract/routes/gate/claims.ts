// Calls of claimants: the page of a refund, and a claim. The link's secret opens them.

import { z } from 'zod';
import { codeHandle, mailedCode } from '../../confirming.ts';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { STOPPED, accountFields, amount, currencyCode, id, money, orderId, time, token, unitCode } from '../../wire.ts';
import { accountField } from '../pricing.ts';
import { claimRow, refundState } from './refunds.ts';

const ofClaimant = { allows: 'public', tag: 'Payment' } as const;
const theRefund = { id, token };
const PROBLEMS = ['refund_unknown', 'record_altered'] as const;

const claimed = {
  unit: unitCode.optional().meta({ description: 'Unit that is claimed, if something came back in another one' }),
  amount: amount.optional().meta({ description: 'Sum to claim, in this unit; by default all that is left' }),
};

/** A currency in which a refund can be claimed, with what arrives of the sum. */
const claimMethod = z
  .object({
    method: currencyCode,
    /** Name of the currency or the payment system. */
    name: z.string(),
    network: z.string(),
    currency: z.string(),
    /** Amount that arrives; absent if the method is closed for the sum. */
    receives: amount.optional(),
    /** Cost of sending, in the unit that is claimed. */
    fee: amount.optional(),
    /** The direction’s spread, in the unit that is claimed; absent if the sum is sent in its own unit. */
    spread: amount.optional(),
    /** Smallest sum that can be claimed so, in the unit that is claimed. */
    least: amount.optional(),
    /** Fields of the receiving account. */
    fields: z.array(accountField),
    closed: z.enum(['rates', 'too_small', 'no_money']).optional().meta({
      description:
        '`rates`: there is no price now · `too_small`: sending costs more than the sum · `no_money`: the desk can’t pay so much of it now',
    }),
  })
  .meta({ id: 'ClaimMethod' });

const claimPage = z
  .object({
    id,
    number: orderId,
    state: refundState,
    store: z.object({ name: line(), mark: z.string().optional(), colour: z.string().optional() }),
    amount: money,
    note: lines().optional(),
    /** Sums that can be claimed, by unit. */
    left: z.array(money),
    expires_at: time,
    /** True if a claim needs a code that is mailed to the address for which the refund was made. */
    needs_code: z.boolean(),
    /** The address, shortened. */
    email: z.string().optional(),
    /** True if the refund belongs to no invoice, so that the claimant’s level bounds it. */
    bounded: z.boolean(),
    /** Reason for which the store can’t refund now. The money stays at the link. */
    waits: z.enum(['store_closed', 'business_owes']).optional(),
    /** Sum to which the methods refer; absent if nothing is left. */
    claim: money.optional(),
    methods: z.array(claimMethod),
    claims: z.array(z.object(claimRow)),
    version: z.int(),
    /** True for a test store: no money moves, and a claim counts as paid at once. */
    test: z.boolean(),
  })
  .meta({ id: 'ClaimPage' });

export const refundPage = route({
  ...ofClaimant,
  method: 'GET',
  path: '/payment/refund',
  summary: 'A refund as its claimant sees it, with the currencies in which it can be claimed and what arrives',
  input: z.object({ ...theRefund, ...claimed }),
  output: claimPage,
  problems: PROBLEMS,
});

export const refundStatus = route({
  ...ofClaimant,
  method: 'GET',
  path: '/payment/refund/status',
  summary:
    'The state of a refund; as a stream of server-sent events (`event: refund`; resumable by id) with `Accept: text/event-stream`',
  input: z.object(theRefund),
  output: z.object({
    state: refundState,
    version: z.int(),
    /** Number of claims whose transaction is known. */
    sent: z.int(),
  }),
  problems: PROBLEMS,
  hasStream: true,
});

export const refundGetOtp = route({
  ...ofClaimant,
  method: 'POST',
  path: '/payment/refund/get-otp',
  summary: 'Mail a one-time code to the address for which a refund was made',
  input: z.object({ ...theRefund, handle: codeHandle.optional() }),
  output: z.object({ handle: codeHandle, expires_in: z.int(), resend_in: z.int() }),
  problems: [...PROBLEMS, 'refund_over'],
});

export const refundClaim = route({
  ...ofClaimant,
  mayKnowUser: true,
  method: 'POST',
  path: '/payment/refund/claim',
  summary: 'Claim a refund, wholly or in part',
  input: z.object({
    ...theRefund,
    ...claimed,
    method: currencyCode,
    to: accountFields,
    receive: amount.optional().meta({
      description: 'What the page showed: if less would arrive now, nothing happens and the answer is `claim_changed`',
    }),
    handle: codeHandle.optional(),
    otp: mailedCode('`/payment/refund/get-otp`').optional(),
  }),
  output: claimPage,
  problems: [
    ...PROBLEMS,
    'refund_over',
    'claim_changed',
    'method_closed',
    'account_refused',
    'unavailable',
    'rates_unavailable',
    'store_closed',
    'business_owes',
    'code_required',
    'code_wrong',
    'code_expired',
    ...STOPPED,
  ],
  isIdempotent: true,
});
