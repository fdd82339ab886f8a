import type { Out } from './counted-payouts.ts';

/** Limits for approvals, in USD cents. */
export interface OutLimits {
  /** Largest action without approval. */
  readonly action: bigint;
  /** Largest sum of a holder's actions in a day without approval. */
  readonly holderDay: bigint;
  /** Largest sum of all holders' actions in a day without approval. */
  readonly deskDay: bigint;
  /** Amount above which two operators must approve an action. */
  readonly twoPeople: bigint;
}

/** Returns the number of operators who must approve an amount: two above `twoPeople`, one if it exceeds any other limit. */
export function peopleFor(usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>, limits: OutLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  const isWithin = usd <= limits.action && out.customerDay + usd <= limits.holderDay && out.deskDay + usd <= limits.deskDay;
  return isWithin ? 0 : 1;
}
