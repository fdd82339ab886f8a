import { z } from 'zod';
import { copiedOrderId } from './fields/copied-code.ts';
import { line } from './fields/free-text.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { REFERENCE, hasLongSub, sharedReference } from './fields/reference.ts';

export { email } from './fields/email.ts';

/** The form of an amount on the wire. */
export const AMOUNT = /^(0|[1-9][0-9]{0,37})(\.[0-9]{1,18})?$/;

/**
 * Schema of an amount, which is a decimal string. A JSON number, an exponent, a sign or a space is refused here. Too many
 * decimals are refused later, when the currency is known. Error messages are keys of the words under `fields`.
 */
export const amount = z
  .string({ error: 'amount_is_text' })
  .max(60, { error: 'amount_too_long' })
  .regex(AMOUNT, { error: 'amount_format' })
  .meta({ id: 'Amount', description: 'A decimal string in the currency’s own precision', examples: ['0.01500000'] });

/** Schema of a coupon's code as people copy it; it is parsed when the coupon is looked up. */
export const couponCode = line().trim().min(1, { error: 'required' }).max(64, { error: 'too_long' });

/** Schema of a reference to the affiliate whose link was used. */
export const reference = z
  .string()
  .overwrite(sharedReference)
  .regex(REFERENCE, { error: ({ input }) => (hasLongSub(String(input)) ? 'sub_too_long' : 'reference_format') })
  .meta({
    id: 'Reference',
    description:
      'An affiliate’s code, with a campaign after a dot; after `~` the moment of the click (seconds since 1970), and after another the affiliate’s own note. Unknown codes are ignored',
    examples: ['7F3Q2M8C', '7F3Q2M8C.blog', '7F3Q2M8C.blog~1766750000~post-12'],
  });

export const currencyCode = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{1,19}$/, { error: 'currency_unknown' })
  .meta({ id: 'CurrencyCode', examples: ['BTC', 'USDT_ERC20'] });

/** Schema of a wallet's unit, by its code. */
export const unitCode = z.string().regex(/^[A-Z][A-Z0-9_]{1,19}$/, { error: 'currency_unknown' });

export const railName = z.string().regex(/^[a-z0-9-]{2,30}$/, { error: 'rail_unknown' });

/** Years that are accepted for days and moments; others are typing errors, or out of PostgreSQL's range. */
const YEARS = /^(?:19|20|21)/;
export const day = z.iso.date({ error: 'day_format' }).regex(YEARS, { error: 'day_format' });
export const moment = z.iso.datetime({ error: 'moment_format' }).regex(YEARS, { error: 'moment_format' });

/** Refinement for `from` and `to`: refuses a `to` before `from`. */
export const inOrder = [
  ({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): boolean =>
    from === undefined || to === undefined || from <= to,
  { path: ['to'] as string[], error: 'to_before_from' },
] as const;

export const money = z.object({ amount, currency: z.string() }).meta({ id: 'Money' });

export const time = z.iso.datetime().meta({ id: 'Time', description: 'RFC 3339 in UTC' });

export const id = z.uuid({ error: 'id_format' });

export const token = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,100}$/, { error: 'token_format' })
  .meta({ id: 'Token', description: 'Secret of a calculation or an order' });

export const orderId = z
  .string()
  .overwrite(copiedOrderId)
  .regex(/^[A-Z]{2}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/, { error: 'order_id_format' })
  .meta({ id: 'OrderId', examples: ['KX-7F3Q-2M8C'] });

export const rate = z
  .object({ base: z.string(), quote: z.string(), value: z.string() })
  .meta({ id: 'Rate', description: 'One whole base is worth `value` whole quote' });

/** Maximum length of a field of an account: payment links of wallets are long. */
const ACCOUNT_FIELD = 2_000;

/** Schema of an account's fields, by the names that `/calculation/currencies` lists for its currency. */
export const accountFields = z
  .record(z.string().max(40), z.string().max(ACCOUNT_FIELD, { error: 'too_long' }))
  .meta({ id: 'AccountFields' });

/** Account that receives a payout or a refund. */
export const account = z
  .object({
    currency: z.string(),
    network: z.string(),
    fields: accountFields,
    /** True for the account holder’s own wallet. */
    wallet: z.boolean().optional(),
  })
  .meta({ id: 'Account' });

/** `meta` of every list. */
export const pageMeta = z
  .object({
    current_page: z.int(),
    per_page: z.int(),
    last_page: z.int(),
    total: z.int(),
    /** True if the list has more rows than `total`: long lists are not counted to their end. */
    is_more: z.literal(true).optional(),
    /** For lists with `after`: value of `after` that requests the next page. Absent on the last page. */
    next: z.string().optional(),
    /**
     * Present if the list is too long to count with these filters. `total` is then the number of rows on this page. `to`: time
     * of the oldest entry searched. `next`: value of `before` that continues the search; null at the end.
     */
    searched: z.object({ to: z.string().nullable(), next: z.string().nullable() }).optional(),
  })
  .meta({ id: 'PageMeta' });

export const page = {
  page: z.coerce.number().int().min(1).max(100000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
};

/** Paging of a list that may be long: by page number for the rows that are counted, and by cursor beyond them. */
export const longPage = {
  ...page,
  after: z.string().max(120, { error: 'too_long' }).optional().meta({
    description: '`meta.next` of the previous page: requests the page after it; `page` is ignored then',
  }),
};

/** Body of every error (RFC 9457). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** With `calculation_used`: the order that was placed from the calculation, if the caller has proven to own that order. */
    order: z.object({ id: orderId, token }).optional(),
    /** With `bot_check_required`: required proof of work, for `/bot/challenge`. */
    work: z.int().optional(),
    reference: z.string().optional(),
  })
  .meta({ id: 'Problem' });

/** Problems that stop a customer's new orders and withdrawals: debts, and a block. */
export const STOPPED = ['debt_stops', 'blocked'] as const;
