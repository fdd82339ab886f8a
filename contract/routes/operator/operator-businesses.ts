// The desk's decisions about businesses.

import { z } from 'zod';
import { lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { amount, id, longPage, money, time, unitCode } from '../../wire.ts';
import { businessState, business_, webSite } from '../gate/business.ts';
import { storeKind } from '../gate/stores.ts';
import { desk } from './desk.ts';
import { acted, reason } from './operator.ts';

/** Terms that hold for methods whose payments can be taken back for months: the business's own, or the usual ones. */
const reversibleBounds = z.object({
  on: z.boolean(),
  /** Maximum of one invoice in USD. */
  invoice_usd: z.string(),
  /** Maximum of receipts in USD that are younger than 180 days. */
  receipts_usd: z.string(),
  /** Days after which a receipt leaves the store's reserve. */
  release_days: z.int(),
  /** Part of a receipt, in percent, that stays in the reserve for 180 days. */
  last_share: z.int(),
});

const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });

/** Actions of the desk on a business. Each leads to a state that is listed in the business's machine. */
export const businessAction = z.enum(['approve', 'refuse', 'suspend', 'resume', 'close']).meta({ id: 'BusinessAction' });

export const operatorBusinesses = route({
  ...desk,
  allows: 'operator: businesses.read',
  method: 'GET',
  path: '/operator/businesses',
  summary: 'Businesses, the latest change first; by state, and by a part of the name, number, web site or owner’s address',
  input: z.object({
    state: businessState.optional(),
    /** `yes`: only businesses with web sites that members added and nobody has decided about. */
    new_sites: z.enum(['yes'], { error: 'wrong_value' }).optional(),
    q: z.string().trim().max(200, { error: 'too_long' }).optional(),
    ...longPage,
  }),
  output: z.array(
    z.object({
      id,
      legal_name: z.string(),
      country: z.string(),
      state: businessState,
      since: time,
      /** E-mail address of the owner's account. */
      owner: z.string(),
      owner_level: z.int(),
      stores: z.int(),
      /** Web sites that members added and nobody has decided about. */
      new_sites: z.array(z.string()),
      /** Worth in USD of what was settled in the last 30 days. */
      settled_usd: amount,
      /** Worth in USD of refunds that were claimed in the last 30 days, and not refused. */
      refunded_usd: amount,
      /** Worth in USD of what payment systems and chains took back in the last 30 days. */
      reversed_usd: amount,
      /** Number of payments in the last 30 days that the desk had to check. */
      flagged: z.int(),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
  isList: true,
});

export const operatorBusiness = route({
  ...desk,
  allows: 'operator: businesses.read',
  method: 'GET',
  path: '/operator/business/:id',
  summary: 'A business with its application, stores and history',
  input: z.object({ id }),
  output: business_.extend({
    owner: z.string(),
    owner_level: z.int(),
    /** Limit of settled sums in 24 hours, in USD: its own, or that of all businesses. */
    day_usd: z.string(),
    day_usd_own: z.boolean(),
    reversible: reversibleBounds,
    /** Debts to the desk, after settled payments were taken back or disputed. */
    owes: z.array(money),
    stores: z.array(z.object({ id, kind: storeKind, name: z.string(), created_at: time, members: z.int(), keys: z.int() })),
    /** Web sites that members added to stores since the approval, and struck ones. */
    sites: z.array(
      z.object({
        site: z.string(),
        /** Id of the store. */
        store: id,
        state: z.enum(['new', 'accepted', 'struck']),
        added_at: time,
        /** E-mail address of the member who added it; empty if it stands in the application. */
        added_by: z.string(),
        /** The people of the desk who decided about it. */
        decided_by: z.string().optional(),
      }),
    ),
    history: z.array(z.object({ at: time, state: businessState, by: z.string(), reason: z.string() })),
  }),
  problems: ['unauthorised', 'forbidden', 'not_found'],
});

/** Problems of every decision about a business. */
const DECISION_PROBLEMS = [
  'unauthorised',
  'forbidden',
  'validation',
  'not_found',
  'action_not_open',
  'record_altered',
  'same_person',
  'request_differs',
] as const;

export const operatorBusinessDecide = route({
  ...desk,
  allows: 'operator: businesses.judge',
  method: 'POST',
  path: '/operator/businesses/decide',
  summary:
    'Decide about a business. To approve or resume one takes two people and evidence; its owner needs level 2 by then. The owner is notified by letter, with `note`',
  input: z.object({
    id,
    action: businessAction,
    evidence: evidence.optional(),
    note: lines().max(1_000, { error: 'too_long' }).optional().meta({ description: 'Words that the owner reads' }),
    reason,
  }),
  output: acted.extend({ state: businessState }),
  problems: [...DECISION_PROBLEMS, 'owner_level_low', 'business_not_empty'],
  isIdempotent: true,
});

export const operatorBusinessLimit = route({
  ...desk,
  allows: 'operator: businesses.judge',
  method: 'POST',
  path: '/operator/businesses/limit',
  summary:
    'Set what a business may settle in 24 hours, in USD: more by two people, less by one. Without a sum the general limit holds',
  input: z.object({ id, day_usd: amount.optional(), reason }),
  output: acted,
  problems: DECISION_PROBLEMS,
  isIdempotent: true,
});

export const operatorBusinessReversible = route({
  ...desk,
  allows: 'operator: businesses.judge',
  method: 'POST',
  path: '/operator/businesses/reversible',
  summary:
    'Let a business be paid by methods whose payments can be taken back for months, and set its bounds: more by two people, less by one. Without a figure the usual one holds',
  input: z.object({
    id,
    on: z.boolean(),
    /** Maximum of one invoice in USD. */
    invoice_usd: amount.optional(),
    /** Maximum of receipts in USD that are younger than 180 days. */
    receipts_usd: amount.optional(),
    /** Days after which a receipt leaves the store's reserve; usually 180. */
    release_days: z.int().min(1, { error: 'wrong_value' }).max(180, { error: 'wrong_value' }).optional(),
    /** Part of a receipt, in percent, that stays in the reserve for 180 days; usually none. */
    last_share: z.int().min(1, { error: 'wrong_value' }).max(100, { error: 'wrong_value' }).optional(),
    reason,
  }),
  output: acted,
  problems: DECISION_PROBLEMS,
  isIdempotent: true,
});

export const operatorBusinessWriteOff = route({
  ...desk,
  allows: 'operator: debts.settle',
  method: 'POST',
  path: '/operator/businesses/write-off',
  summary:
    'Write off what a business owes in a unit, as a loss of the desk: two people, with a statement why it is not repaid. Its stores may move money again',
  input: z.object({ id, unit: unitCode, evidence, reason }),
  output: acted,
  problems: DECISION_PROBLEMS,
  isIdempotent: true,
});

export const operatorBusinessDisputeCost = route({
  ...desk,
  allows: 'operator: debts.settle',
  method: 'POST',
  path: '/operator/businesses/dispute-cost',
  summary:
    'Book what a dispute about a payment cost the desk at its payment system, in the currency of the payment: two people, with the system’s statement. The business owes it, and the balance of its store repays it at once',
  input: z.object({ id, payment: z.uuid({ error: 'wrong_value' }), amount, evidence, reason }),
  output: acted,
  problems: [...DECISION_PROBLEMS, 'rates_unavailable'],
  isIdempotent: true,
});

/** Actions of the desk on a web site of a business. */
export const siteAction = z.enum(['accept', 'strike'], { error: 'wrong_value' }).meta({ id: 'SiteAction' });

export const operatorBusinessSite = route({
  ...desk,
  allows: 'operator: businesses.judge',
  method: 'POST',
  path: '/operator/businesses/site',
  summary:
    'Decide about a web site of a business’s stores. After `strike` no return address leads there, and the owner is notified by letter. `accept` lets it stand: a struck one takes two people',
  input: z.object({ id, action: siteAction, site: webSite, reason }),
  output: acted,
  problems: DECISION_PROBLEMS,
  isIdempotent: true,
});
