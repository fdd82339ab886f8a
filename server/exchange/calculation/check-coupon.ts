import type { Input, Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money, totalOf } from '@kurs/money';
import type { Context } from '../../platform/index.ts';
import { type PriceContext, callerContext, quoteWire } from '../../pricing/index.ts';
import type { CouponAsked } from '../../coupons/index.ts';
import { friendDiscount } from './calculation.ts';
import { couponsOf, discountsOf, quoteWith } from './coupon-of.ts';
import { senderOfVisit, visitBy } from './sender-of.ts';

/**
 * A quote for anybody, with a coupon and the reference of a link if they name one, and their credit if they are signed in.
 * Throws as `quote` and `askCoupon`. Without any of it nothing is read.
 */
export async function quoteFor(
  caller: Pick<Context, 'db' | 'user'>,
  input: Input<Routes['calculate']>,
): Promise<Output<Routes['calculate']>> {
  const asked = await couponsOf(caller.db, input, { holderId: caller.user?.id });
  return quoteWire(quoteWith(input, await contextWith(caller, input, asked), asked));
}

/** What a coupon takes off an exchange once all discounts are trimmed together, and on which conditions. */
export async function checkCoupon(
  caller: Pick<Context, 'db' | 'user'>,
  { code, ...input }: Input<Routes['couponCheck']>,
): Promise<Output<Routes['couponCheck']>> {
  const asked = await couponsOf(caller.db, { ...input, coupon: code }, { holderId: caller.user?.id });
  const named = asked.at(-1) as CouponAsked;
  const quoted = quoteWith(input, await contextWith(caller, input, asked), asked);
  const { kind, percent, endsAt, directions, least, firstOnly, perCustomer } = named.coupon;
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
      ...(least > 0n && { least_usd: format(money(REWARD_UNIT, least), 2) }),
      first_order: firstOnly,
      uses_per_customer: perCustomer,
    },
  };
}

/** For whom a caller's price is, with a coupon if they name one. */
async function contextWith(
  caller: Pick<Context, 'db' | 'user'>,
  { wallet, ref }: Pick<Input<Routes['calculate']>, 'wallet' | 'ref'>,
  asked: readonly CouponAsked[],
): Promise<PriceContext> {
  const { level, discounts = [] } = await callerContext(caller);
  const sent = await senderOfVisit(caller.db, await visitBy(caller.db, ref), caller.user);
  return {
    ...(level !== undefined && { level }),
    wallet,
    discounts: [...discountsOf(asked), ...discounts, ...friendDiscount(sent)],
    ...(sent && { rewards: sent.rewards }),
  };
}
