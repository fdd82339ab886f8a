// How an exchange is let out (money.md A2): by itself, by one operator, or by two. Pure; what was let out is counted by
// the hour in this room's table.

import type { Approval } from './order.ts';

/** Bounds in cents of USD, and the share of a rail's float in percent. */
export interface AutoLimits {
  readonly order: bigint;
  readonly customerDay: bigint;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
  readonly floatPercent: number;
  readonly twoPeople: bigint;
}

/** What went out by itself: cents of USD in the last day and this hour, parts of the currency in this hour. */
export interface LetOut {
  readonly customerDay: bigint;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
  readonly currencyHour: bigint;
}

/** How many people approve an order by its worth alone: what the review can say beforehand. */
export function peopleForSum(usd: bigint, limits: AutoLimits): 0 | 1 | 2 {
  if (usd > limits.twoPeople) return 2;
  return usd > limits.order ? 1 : 0;
}

/**
 * How a payout is let out. Takes its worth in cents, its parts, what went out already and the rail's float (what it can
 * send now). A sum that would pass any bound waits for one operator.
 */
export function approvalFor(usd: bigint, parts: bigint, out: LetOut, float: bigint, limits: AutoLimits): Approval {
  const people = peopleForSum(usd, limits);
  if (people > 0) return { people };
  const within =
    out.customerDay + usd <= limits.customerDay &&
    out.deskHour + usd <= limits.deskHour &&
    out.deskDay + usd <= limits.deskDay &&
    (out.currencyHour + parts) * 100n <= (float + out.currencyHour) * BigInt(limits.floatPercent);
  return { people: within ? 0 : 1 };
}
