import type { Out } from './counted-payouts.ts';

/** Bounds in cents of USD: of one action, of a holder's day, of the desk's day, and above which two people are asked. */
export interface OutLimits {
  readonly action: bigint;
  readonly holderDay: bigint;
  readonly deskDay: bigint;
  readonly twoPeople: bigint;
}

/** How many operators let a sum out: two above the higher bound, one where any other bound would be passed. */
export function peopleFor(usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>, limits: OutLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  const isWithin = usd <= limits.action && out.customerDay + usd <= limits.holderDay && out.deskDay + usd <= limits.deskDay;
  return isWithin ? 0 : 1;
}
