import { z } from 'zod';
import { route } from '../route.ts';
import { amount, couponCode, currencyCode, money, rate, reference, time } from '../wire.ts';

export const accountField = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z.enum(['address', 'email', 'text']),
    required: z.boolean(),
    pattern: z.string().optional(),
  })
  .meta({ id: 'AccountField' });

export const currency = z
  .object({
    code: z.string(),
    name: z.string(),
    network: z.string(),
    rail: z.string(),
    kind: z.enum(['crypto', 'ewallet']),
    unit: z.string(),
    asset: z.string(),
    precision: z.int(),
    pay_precision: z.int(),
    /** The verification level from which somebody may pay in it; 0: an e-mail address is enough. */
    payer_level: z.int(),
    /** What exchange monitors call it, and what their links to us may name it by. */
    feed_code: z.string().optional(),
    /** What says where to receive it; none where the order's page shows what was bought. */
    fields: z.array(accountField),
    /** What is asked of anyone who pays in it, in `refund` of step 2; none where a refund goes back to where it came from. */
    payer_fields: z.array(accountField),
  })
  .meta({ id: 'Currency' });

const costLine = z.object({
  code: z.string(),
  /** `got`: the percentage is of what is paid out, after all other lines; else of the amount given. */
  of: z.enum(['got']).optional(),
  percent: z.string().optional(),
  fixed: amount.optional(),
  min: amount.optional(),
  cap: amount.optional(),
});

const discountLine = z.object({
  code: z.string(),
  /** `rest`: the percentage is of what all other discounts, as they were asked for, leave of the fee; else of the fee. */
  of: z.enum(['rest']).optional(),
  percent: z.string().optional(),
  fixed: amount.optional(),
  cap: amount.optional(),
});

/** Everything that a calculator needs to make the same price breakdown as the server: percents as plain decimals. */
export const priceTerms = z
  .object({
    rate,
    spread: z.array(z.object({ from: amount, percent: z.string() })),
    least_fee: amount,
    costs: z.array(costLine),
    /** What the caller is let off of the fee, in the order in which it is trimmed; no page that is kept contains any. */
    discounts: z.array(discountLine).optional(),
    min_margin_percent: z.string(),
    min_margin: amount,
    /** Percent of what is kept that stays after rewards, where not all of it does. */
    keep_after_rewards: z.string().optional(),
    /** Percent of the amount that is set aside beside it, where a payment can be taken back for months. */
    keep_provision: z.string().optional(),
  })
  .meta({ id: 'PriceTerms' });

export const direction = z
  .object({
    from: z.string(),
    to: z.string(),
    slug: z.string(),
    open: z.boolean(),
    /** Why it is closed: a key of the words under `closed`. */
    reason: z.string().optional(),
    rate: rate.optional(),
    fee_percent: z.string(),
    min: amount,
    max: amount,
    reserve: amount,
    /** The verification level that paying in it takes, where that of the caller is lower: they can't exchange it yet. */
    needs_level: z.int().optional(),
    /** Median minutes from final payment to payout; absent under 20 samples. */
    usual_minutes: z.int().optional(),
    terms: priceTerms.optional(),
    /** When its settings changed last; rates and reserves are none of them. */
    changed_at: time.optional(),
  })
  .meta({ id: 'Direction' });

export const feeLine = z
  .object({ code: z.string(), amount, currency: z.string(), percent: z.string().optional() })
  .meta({ id: 'FeeLine' });

/**
 * A price in figures that add up: `give` less `fees`, with `discounts`, is `exchanged`; at `rate`, rounded down, it is `get`.
 */
const figures = z
  .object({
    give: money,
    get: money,
    rate,
    fees: z.array(feeLine),
    discounts: z.array(feeLine).optional(),
    exchanged: money,
  })
  .meta({ id: 'PriceFigures' });

/** An order's price as it was booked; until it is, as it was promised. It adds up as `PriceFigures` does. */
export const statedPrice = {
  give: money,
  get: money.optional(),
  rate: rate.optional(),
  fees: z.array(feeLine),
  discounts: z.array(feeLine).optional(),
  exchanged: money.optional(),
  /** What was promised when it was placed, where something else was booked. */
  promised: figures.optional(),
  /** What could not be delivered was bought back at this price; `most`: for no more than it had been got for. */
  bought_back: figures.extend({ most: z.boolean().optional() }).meta({ id: 'BoughtBack' }).optional(),
};

export const quote = z
  .object({
    give: money,
    get: money,
    rate,
    fees: z.array(feeLine),
    /** What all discounts come to, and each of them. */
    discount: money.optional(),
    discounts: z.array(feeLine).optional(),
    exchanged: money,
    min: amount,
    max: amount,
    reserve: amount,
    /** Number of the market snapshot that it was made from. */
    rates_version: z.string(),
    rates_at: time,
    expires_at: time,
  })
  .meta({ id: 'Quote' });

/** Which sides are the caller’s own wallets instead of the rails: nothing is paid for those. */
const walletSides = z.enum(['give', 'get', 'both'], { error: 'wrong_value' }).optional();

export const quoteInput = z.object({
  from: currencyCode,
  to: currencyCode,
  amount,
  side: z.enum(['give', 'get']).default('give'),
  wallet: walletSides,
  /** The code of a coupon; what it takes off is part of the price. */
  coupon: couponCode.optional(),
  ref: reference.optional(),
});

export const currencies = route({
  method: 'GET',
  path: '/calculation/currencies',
  allows: 'public',
  tag: 'Calculation',
  summary: 'Currencies and the fields of their accounts',
  input: z.object({}),
  output: z.array(currency),
  problems: [],
});

export const directions = route({
  method: 'GET',
  path: '/calculation/directions',
  allows: 'public',
  tag: 'Calculation',
  summary:
    'Directions with rate, fee, limits and reserve; with a session the limits are those of its holder’s level, and terms have the discounts of the holder and of a link',
  input: z.object({
    from: currencyCode.optional(),
    to: currencyCode.optional(),
    wallet: walletSides,
    ref: reference.optional(),
  }),
  knowsUser: true,
  output: z.object({
    directions: z.array(direction),
    rates_at: time.optional(),
    /** The sandbox serves a seeded walk in place of markets, and says so. */
    rates_seeded: z.boolean(),
  }),
  problems: [],
});

export const rateHistory = route({
  method: 'GET',
  path: '/calculation/rate-history',
  allows: 'public',
  tag: 'Calculation',
  summary: 'The market rate of a direction by the hour in the last seven days, before our fee',
  input: z.object({ from: currencyCode, to: currencyCode }),
  output: z.object({
    /** One whole base is worth `value` whole quote. Absent while there are no rates. */
    base: z.string().optional(),
    quote: z.string().optional(),
    /** Oldest first. Hours that nobody saw are absent, and so is everything where both sides are the same money. */
    points: z.array(z.object({ at: time, value: z.string() })),
  }),
  problems: ['direction_unknown'],
});

export const calculate = route({
  method: 'POST',
  path: '/calculation',
  allows: 'public',
  tag: 'Calculation',
  summary: 'A quote for an amount given or got; with a session within the limits of its holder’s level',
  input: quoteInput,
  knowsUser: true,
  output: quote,
  problems: [
    'direction_unknown',
    'direction_closed',
    'rates_unavailable',
    'coupon_unknown',
    'coupon_over',
    'coupon_altered',
    'coupon_not_here',
  ],
});

export const gateways = route({
  method: 'GET',
  path: '/payment/gateway',
  allows: 'public',
  tag: 'Payment',
  summary: 'Ways to pay in a currency, with limits and fees',
  input: z.object({ currency: currencyCode.optional() }),
  output: z.array(
    z.object({
      id: z.string(),
      currency: z.string(),
      name: z.string(),
      network: z.string(),
      kind: z.enum(['address', 'redirect', 'voucher']),
      min: amount,
      max: amount,
      confirmations: z.string(),
      fees: z.array(feeLine),
      open: z.boolean(),
    }),
  ),
  problems: [],
});
