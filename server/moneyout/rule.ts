import type { Out } from './counted-payouts.ts';

/**
 * Limits in cents of USD: of one action, of a holder's day, of the desk's day, and the one above which two operators approve.
 */
export interface OutLimits {
  readonly action: bigint;
  readonly holderDay: bigint;
  readonly deskDay: bigint;
  readonly twoPeople: bigint;
}

/** Returns the number of operators who must approve a sum: two above the higher limit, one if it exceeds any other limit. */
export function peopleFor(usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>, limits: OutLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  const isWithin = usd <= limits.action && out.customerDay + usd <= limits.holderDay && out.deskDay + usd <= limits.deskDay;
  return isWithin ? 0 : 1;
}
