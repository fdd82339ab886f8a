import { z } from 'zod';
import { copiedOrderId } from './fields/copied-code.ts';
import { line } from './fields/free-text.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { REFERENCE, hasLongSub, sharedReference } from './fields/reference.ts';

export { email } from './fields/email.ts';

/** An amount as it is written on the wire. */
export const AMOUNT = /^(0|[1-9][0-9]{0,37})(\.[0-9]{1,18})?$/;

/**
 * The shapes that amounts, times and names have on the wire. Amounts are decimal strings: a JSON number, an exponent,
 * a sign or a space is refused here; more decimals than the currency has are refused where the currency is known.
 * Messages are keys of the words under `fields`.
 */
export const amount = z
  .string({ error: 'amount_is_text' })
  .max(60, { error: 'amount_too_long' })
  .regex(AMOUNT, { error: 'amount_format' })
  .meta({ id: 'Amount', description: 'A decimal string in the currency’s own precision', examples: ['0.01500000'] });

/** The code of a coupon as people copy it; it is read where coupons are looked for. */
export const couponCode = line().trim().min(1, { error: 'required' }).max(64, { error: 'too_long' });

/** By whose link a customer came. */
export const reference = z
  .string()
  .overwrite(sharedReference)
  .regex(REFERENCE, { error: ({ input }) => (hasLongSub(String(input)) ? 'sub_too_long' : 'reference_format') })
  .meta({
    id: 'Reference',
    description:
      'An affiliate’s code, with a campaign behind a dot; behind `~` the moment of the click (seconds since 1970), and behind another what the link says to the affiliate. One that nobody has changes nothing',
    examples: ['7F3Q2M8C', '7F3Q2M8C.blog', '7F3Q2M8C.blog~1766750000~post-12'],
  });

export const currencyCode = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{1,19}$/, { error: 'currency_unknown' })
  .meta({ id: 'CurrencyCode', examples: ['BTC', 'USDT_ERC20'] });

/** What a wallet holds: a unit, by its code. */
export const unitCode = z.string().regex(/^[A-Z][A-Z0-9_]{1,19}$/, { error: 'currency_unknown' });

export const railName = z.string().regex(/^[a-z0-9-]{2,30}$/, { error: 'rail_unknown' });

/** A day and a moment of the centuries that anybody means; other years are none of PostgreSQL's, or none of anybody's. */
const YEARS = /^(?:19|20|21)/;
export const day = z.iso.date({ error: 'day_format' }).regex(YEARS, { error: 'day_format' });
export const moment = z.iso.datetime({ error: 'moment_format' }).regex(YEARS, { error: 'moment_format' });

/** For days of which the last may not lie before the first: refuses such a `to`. */
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

/** As long as a field of an account may be: a payment link with all that wallets put into it. */
const ACCOUNT_FIELD = 2_000;

/** Fields of an account, by the names that `/calculation/currencies` lists for its currency. */
export const accountFields = z
  .record(z.string().max(40), z.string().max(ACCOUNT_FIELD, { error: 'too_long' }))
  .meta({ id: 'AccountFields' });

/** Where money of one side of an exchange goes. */
export const account = z
  .object({
    currency: z.string(),
    network: z.string(),
    fields: accountFields,
    /** The account holder’s own wallet. */
    wallet: z.boolean().optional(),
  })
  .meta({ id: 'Account' });

/** What any list gives beside its rows. */
export const pageMeta = z
  .object({
    current_page: z.int(),
    per_page: z.int(),
    last_page: z.int(),
    total: z.int(),
    /** Set where there are more rows than `total`: a long list is not counted to its end. */
    is_more: z.literal(true).optional(),
    /** Asked for as `after` for what comes behind this page, however far back; of lists that take it, and absent at the end. */
    next: z.string().optional(),
    /**
     * Of a list that is too long to count by these filters: `total` are those of this page, found by looking back `to` that
     * moment; `next` is asked for as `before` to look further, and null at the end.
     */
    looked: z.object({ to: z.string().nullable(), next: z.string().nullable() }).optional(),
  })
  .meta({ id: 'PageMeta' });

export const page = {
  page: z.coerce.number().int().min(1).max(100000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
};

/** A page of a list that may be long: by its number as far as rows are counted, further by what the page before gave. */
export const longPage = {
  ...page,
  after: z.string().max(120, { error: 'too_long' }).optional().meta({
    description: '`meta.next` of the page before: gives the page behind it, however far back; `page` is not looked at then',
  }),
};

/** RFC 9457, as every error answers. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** The order that already came of what was asked, for anyone who proved that it is theirs. */
    order: z.object({ id: orderId, token }).optional(),
    /** With `bot_check_required`: the work that the check must contain, for `/bot/challenge`. */
    work: z.int().optional(),
    reference: z.string().optional(),
  })
  .meta({ id: 'Problem' });

/** What stops a customer's new orders and money out: what they are shown to owe, and people's word. */
export const STOPPED = ['debt_stops', 'blocked'] as const;
