// Decides how a payout is released: automatically, by one operator, or by two. Pure; moneyout sums up the automatic payouts.

import type { Out } from '../../moneyout/index.ts';
import type { AutoLimits } from '../machine/auto-limits.ts';
import type { Approval } from '../order/order.ts';

/** Returns the number of approvals that an order needs because of its own worth, so that the review can announce them. */
export function peopleForSum(usd: bigint, limits: AutoLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  return usd > limits.order ? 1 : 0;
}

/**
 * Returns how a payout is released. A payout beyond any limit waits for one operator, and a very large payout for two. `usd`: the
 * payout's worth in cents. `out`: totals of the automatic payouts so far. `share`: the payout's parts and the rail's float
 * (sendable now); a percentage of the float may leave per hour.
 */
export function approvalFor(
  usd: bigint,
  out: Out,
  limits: AutoLimits,
  share: { readonly parts: bigint; readonly float: bigint } | undefined,
): Approval & { readonly people: 0 | 1 | 2 } {
  const people = peopleForSum(usd, limits);
  if (people > 0) return { people };
  const within =
    out.customerDay + usd <= limits.customerDay &&
    out.deskHour + usd <= limits.deskHour &&
    out.deskDay + usd <= limits.deskDay &&
    (share === undefined ||
      (out.currencyHour + share.parts) * 100n <= (share.float + out.currencyHour) * BigInt(limits.floatPercent));
  return { people: within ? 0 : 1 };
}
