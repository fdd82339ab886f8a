// Prices as they are for who asks: what they may exchange, and what they are let off.

import type { Input, Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money, totalOf } from '@kurs/money';
import { levelOf } from '../../../compliance/index.ts';
import { type CouponAsked, askCredit } from '../../../coupons/index.ts';
import { holderLoyalty } from '../../../loyalty/index.ts';
import type { Context } from '../../../platform/index.ts';
import { type PriceContext, directionsWire, loyaltyDiscount, quoteWire } from '../../../pricing/index.ts';
import { friendDiscount } from '../calculation.ts';
import { couponsOf, discountsOf, quoteWith } from './coupon-of.ts';
import { senderOfVisit, visitBy } from './sender-of.ts';

type Caller = Pick<Context, 'db' | 'user'>;

/**
 * The directions with the terms that a quote for the same caller is made from, but for a code: from those the browser makes the same
 * price. Without a session and a reference nothing is read.
 */
export async function directionsFor(caller: Caller, input: Input<Routes['directions']>): Promise<Output<Routes['directions']>> {
  const credit = await askCredit(caller.db, caller.user?.id);
  return directionsWire(input, await contextWith(caller, input, credit ? [credit] : []));
}

/**
 * A quote for anybody, with a coupon and the reference of a link if they name one, and their credit if they are signed in.
 * Throws as `quote` and `askCoupon`. Without any of it nothing is read.
 */
export async function quoteFor(caller: Caller, input: Input<Routes['calculate']>): Promise<Output<Routes['calculate']>> {
  const asked = await couponsOf(caller.db, input, { holderId: caller.user?.id });
  return quoteWire(quoteWith(input, await contextWith(caller, input, asked), asked));
}

/** What a coupon takes off an exchange once all discounts are trimmed together, and on which conditions. */
export async function checkCoupon(
  caller: Caller,
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

/** For whom a caller's price is, with what they ask to be let off. */
async function contextWith(
  { db, user }: Caller,
  { wallet, ref }: Pick<Input<Routes['calculate']>, 'wallet' | 'ref'>,
  asked: readonly CouponAsked[],
): Promise<PriceContext> {
  const [own, sent] = await Promise.all([
    user && Promise.all([levelOf(db, user.email), holderLoyalty(db, user)]),
    visitBy(db, ref).then((visit) => senderOfVisit(db, visit, user)),
  ]);
  const [level, loyalty] = own ?? [];
  return {
    ...(level !== undefined && { level }),
    wallet,
    discounts: [...discountsOf(asked), ...loyaltyDiscount(loyalty), ...friendDiscount(sent)],
    ...(sent && { rewards: sent.rewards }),
  };
}
