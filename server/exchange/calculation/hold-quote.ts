import { Problem } from '@kurs/contract';
import { type Money, compare, zero } from '@kurs/money';
import type { Level } from '../../compliance/index.ts';
import type { CouponRequest } from '../../coupons/index.ts';
import { isWallet, quoteWire, refundTerms, worthOf } from '../../pricing/index.ts';
import type { Sent } from '../../referrals/index.ts';
import { type Calculation, type HeldQuote, priceContextOf } from './calculation.ts';
import { calculationSettings as settings } from './calculation-settings.ts';
import { discountsOf, quoteWith } from './discounts/coupon-of.ts';

/** Returns the quote that a review holds, with all data that an order pins of the quote. Throws the errors of `quote`. */
export function hold(
  calculation: Calculation,
  level: Level,
  { coupons, sent }: { readonly coupons: readonly CouponRequest[]; readonly sent: Sent | undefined },
): HeldQuote {
  const seconds = settings.get('exchange.review_seconds');
  const context = { ...priceContextOf(calculation, level, { coupons: discountsOf(coupons), sent }), seconds };
  const quoted = quoteWith(calculation, context, coupons);
  const refund = isWallet(calculation.wallet, 'give') ? nothingToRefund(quoted.terms.giveUnit) : refundTerms(calculation.from);
  if (!refund) throw new Problem('direction_closed', { params: { reason: 'rail_down' } });
  return {
    terms: quoted.terms,
    give: quoted.breakdown.give,
    level,
    usd: worthOf(quoted),
    ratesVersion: quoted.snapshot.version.toString(),
    madeFrom: {
      direction: quoted.direction.version,
      payin: quoted.rails.payin?.version ?? 0,
      payout: quoted.rails.payout?.version ?? 0,
    },
    minimum: quoted.bounds.min,
    shortPercent: settings.get('exchange.short_percent'),
    refundCost: refund.cost,
    minRefund: refund.smallest,
    isWithinReserve: compare(quoted.breakdown.get, quoted.maxOfReserve) <= 0,
    ...(sent && { sent }),
    shown: quoteWire(quoted),
    expiresAt: quoted.expiresAt.getTime(),
  };
}

/** A refund into a wallet has no cost and no minimum. */
const nothingToRefund = (unit: string): { cost: Money; smallest: Money } => ({ cost: zero(unit), smallest: zero(unit) });
