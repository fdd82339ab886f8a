// Prices for a caller, with the caller's limits and discounts.

import type { Input, Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money, totalOf } from '@kurs/money';
import type { CouponRequest } from '../../../coupons/index.ts';
import type { Context } from '../../../platform/index.ts';
import { type PriceContext, directionsWire, loyaltyDiscount, quoteWire } from '../../../pricing/index.ts';
import { friendDiscount } from '../calculation.ts';
import { couponsRead, discountsOf, quoteWith } from './coupon-of.ts';
import { type CallerRead, readCaller } from './read-callers.ts';
import { senderOfVisit, visitBy } from './sender-of.ts';

type Caller = Pick<Context, 'db' | 'user'>;

/**
 * Returns the directions with the terms that a quote for this caller would have without a coupon code. The browser computes the
 * same prices from these terms. Reads nothing from the database for a caller without session and reference.
 */
export async function directionsFor(caller: Caller, input: Input<Routes['directions']>): Promise<Output<Routes['directions']>> {
  const read = await readCaller(caller.db, { user: caller.user, code: undefined });
  return directionsWire(input, await contextWith(caller, input, { read, requests: read?.credit ? [read.credit] : [] }));
}

/**
 * Returns a quote for any caller, with the coupon and the affiliate's reference that the call names, and with the credit of a
 * signed-in holder. Reads nothing from the database for a call without coupon, reference and session. Throws the errors of
 * `quote` and `askCoupon`.
 */
export async function quoteFor(caller: Caller, input: Input<Routes['calculate']>): Promise<Output<Routes['calculate']>> {
  const known = await knownOf(caller, input);
  return quoteWire(quoteWith(input, await contextWith(caller, input, known), known.requests));
}

/**
 * Returns a coupon's conditions, and the amount that the coupon takes off an exchange, limited by the maximum of all discounts
 * together.
 */
export async function checkCoupon(
  caller: Caller,
  { code, ...input }: Input<Routes['couponCheck']>,
): Promise<Output<Routes['couponCheck']>> {
  const known = await knownOf(caller, { ...input, coupon: code });
  const named = known.requests.at(-1) as CouponRequest;
  const quoted = quoteWith(input, await contextWith(caller, input, known), known.requests);
  const { kind, percent, endsAt, directions, min, isFirstOnly, perCustomer } = named.coupon;
  const { terms, breakdown, give } = quoted;
  const off = totalOf(
    breakdown.components.filter((one) => one.code === named.discount.kind),
    'discount',
  );
  return {
    kind: kind as 'percent',
    ...(percent !== undefined && { percent }),
    takes_off: { amount: format(money(terms.giveUnit, off), terms.giveDigits), currency: give.code },
    ...(endsAt && { until: endsAt.toISOString() }),
    conditions: {
      ...(directions && { directions: [...directions] }),
      ...(min > 0n && { least_usd: format(money(REWARD_UNIT, min), 2) }),
      first_order: isFirstOnly,
      uses_per_customer: perCustomer,
    },
  };
}

/** Data read about a caller, and the discounts that they request. */
interface KnownCaller {
  readonly read: CallerRead | undefined;
  readonly requests: readonly CouponRequest[];
}

async function knownOf({ db, user }: Caller, input: Parameters<typeof couponsRead>[1]): Promise<KnownCaller> {
  const read = await readCaller(db, { user, code: input.coupon });
  return { read, requests: await couponsRead(db, input, read) };
}

/** Returns the context of a caller's price, with the discounts that they request. */
async function contextWith(
  { db, user }: Caller,
  { wallet, ref }: Pick<Input<Routes['calculate']>, 'wallet' | 'ref'>,
  { read, requests }: KnownCaller,
): Promise<PriceContext> {
  const { level, loyalty, ties } = read?.holder ?? {};
  const sent = await senderOfVisit(db, await visitBy(db, ref), user, read && { now: read.now, ties });
  return {
    ...(level !== undefined && { level }),
    wallet,
    discounts: [...discountsOf(requests), ...loyaltyDiscount(loyalty), ...friendDiscount(sent)],
    ...(sent && { rewards: sent.rewards }),
  };
}
