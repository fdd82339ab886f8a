// Decides how a payout is released: automatically, by one operator, or by two. Pure; moneyout counts automatic payouts.

import type { Out } from '../../moneyout/index.ts';
import type { AutoLimits } from '../machine/auto-limits.ts';
import type { Approval } from '../order/order.ts';

/** Returns the approvals that an order needs by its worth alone, as the review can announce it. */
export function peopleForSum(usd: bigint, limits: AutoLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  return usd > limits.order ? 1 : 0;
}

/**
 * Returns how a payout is released. `usd`: its worth in cents; `out`: automatic payouts so far; `share`: its parts and the rail's
 * float (sendable now), of which a percentage may leave per hour. A payout beyond any limit waits for one operator.
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
