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
    /** Verification level required to pay in this currency; 0 if an e-mail address is enough. */
    payer_level: z.int(),
    /** Code of the currency at exchange monitors and in their links. */
    feed_code: z.string().optional(),
    /** Fields of the receiving account; empty for a voucher, which the order's page shows. */
    fields: z.array(accountField),
    /** Fields for `refund` of step 2 that the payer must fill in; empty if a refund returns to the payer's account. */
    payer_fields: z.array(accountField),
  })
  .meta({ id: 'Currency' });

const costLine = z.object({
  code: z.string(),
  /** `got`: the percentage is of the sum paid out, after all other lines. Otherwise it is of the sum given. */
  of: z.enum(['got']).optional(),
  percent: z.string().optional(),
  fixed: amount.optional(),
  min: amount.optional(),
  cap: amount.optional(),
});

const discountLine = z.object({
  code: z.string(),
  /** `rest`: the percentage is of the fee that remains after all other requested discounts. Otherwise it is of the whole fee. */
  of: z.enum(['rest']).optional(),
  percent: z.string().optional(),
  fixed: amount.optional(),
  cap: amount.optional(),
});

/** All terms that a calculator needs to compute the same price breakdown as the server. Percentages are plain decimals. */
export const priceTerms = z
  .object({
    rate,
    spread: z.array(z.object({ from: amount, percent: z.string() })),
    least_fee: amount,
    costs: z.array(costLine),
    /** The caller's discounts on the fee, in the order in which they are trimmed. Cached pages contain none. */
    discounts: z.array(discountLine).optional(),
    min_margin_percent: z.string(),
    min_margin: amount,
    /** Percent of the fee that the desk keeps after rewards are paid; absent if the desk keeps the whole fee. */
    keep_after_rewards: z.string().optional(),
    /** Percent of the amount that is set aside in case a reversible payment is taken back; absent for other payments. */
    keep_provision: z.string().optional(),
  })
  .meta({ id: 'PriceTerms' });

export const direction = z
  .object({
    from: z.string(),
    to: z.string(),
    slug: z.string(),
    open: z.boolean(),
    /** Reason why the direction is closed: a key of the words under `closed`. */
    reason: z.string().optional(),
    rate: rate.optional(),
    fee_percent: z.string(),
    min: amount,
    max: amount,
    reserve: amount,
    /** Verification level required to pay in `from`; absent if the caller has it. */
    needs_level: z.int().optional(),
    /** Median minutes from the final payment to the payout; absent if fewer than 20 orders were measured. */
    usual_minutes: z.int().optional(),
    terms: priceTerms.optional(),
    /** Time of the last change of the direction's settings, not of its rates and reserves. */
    changed_at: time.optional(),
  })
  .meta({ id: 'Direction' });

export const feeLine = z
  .object({ code: z.string(), amount, currency: z.string(), percent: z.string().optional() })
  .meta({ id: 'FeeLine' });

/** Figures of a price that add up: `give` − `fees` + `discounts` = `exchanged`; `exchanged` at `rate`, rounded down, is `get`. */
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

/** An order's price: as promised until the exchange is booked, then as booked. The figures add up as those of `PriceFigures` do. */
export const statedPrice = {
  give: money,
  get: money.optional(),
  rate: rate.optional(),
  fees: z.array(feeLine),
  discounts: z.array(feeLine).optional(),
  exchanged: money.optional(),
  /** The promised price, if a different price was booked. */
  promised: figures.optional(),
  /** Price at which an undeliverable payout was bought back. `is_max`: the price was capped at the original price. */
  bought_back: figures.extend({ is_max: z.boolean().optional() }).meta({ id: 'BoughtBack' }).optional(),
};

export const quote = z
  .object({
    give: money,
    get: money,
    rate,
    fees: z.array(feeLine),
    /** Sum of all discounts. */
    discount: money.optional(),
    /** Each discount. */
    discounts: z.array(feeLine).optional(),
    exchanged: money,
    min: amount,
    max: amount,
    reserve: amount,
    /** Number of the market snapshot that the quote is based on. */
    rates_version: z.string(),
    rates_at: time,
    expires_at: time,
  })
  .meta({ id: 'Quote' });

/** Sides of the exchange that are the caller’s own wallets instead of rails. Wallets charge nothing. */
const walletSides = z.enum(['give', 'get', 'both'], { error: 'wrong_value' }).optional();

export const quoteInput = z.object({
  from: currencyCode,
  to: currencyCode,
  amount,
  side: z.enum(['give', 'get']).default('give'),
  wallet: walletSides,
  /** Code of a coupon, whose discount is part of the price. */
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
  mayKnowUser: true,
  output: z.object({
    directions: z.array(direction),
    rates_at: time.optional(),
    /** True in the sandbox, which serves simulated prices in place of markets. */
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
    /**
     * Unit or asset whose price the points give: one whole `base` is worth `value` whole `quote`. Absent while there are no
     * rates.
     */
    base: z.string().optional(),
    quote: z.string().optional(),
    /** Rates by hour, the oldest first. Hours without a stored rate are left out. Empty if both sides are the same money. */
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
  mayKnowUser: true,
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
