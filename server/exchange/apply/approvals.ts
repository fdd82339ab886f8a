// How an exchange is let out: by itself, by one operator, or by two. Pure; what left by itself is counted by the door out.

import type { Out } from '../../moneyout/index.ts';
import type { AutoLimits } from '../machine/auto-limits.ts';
import type { Approval } from '../order/order.ts';

/** How many people approve an order by its worth alone: what the review can say beforehand. */
export function peopleForSum(usd: bigint, limits: AutoLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  return usd > limits.order ? 1 : 0;
}

/**
 * How a payout is let out. Takes its worth in cents, what left by itself already, and the bounds; `share`: its parts and the
 * rail's float (what it can send now), of which so much goes in an hour. A sum that would pass any bound waits for one
 * operator.
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
