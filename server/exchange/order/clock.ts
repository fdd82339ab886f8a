// Clock of the promised time: how long an order takes us, from a payment that is final, sufficient and clean until the payout is
// handed to its rail. A table beside the order's machine lists the reasons to be in each state, and whether the clock runs meanwhile.
// Pure.

import type { Facts, OrderState, OrderView } from './order.ts';

/** Reason for an order to be in a state, and whether the clock runs meanwhile. */
export interface Reason {
  readonly words: string;
  readonly isRunning: boolean;
  readonly is: (order: OrderView) => boolean;
}

const always = (): boolean => true;
const runs = (words: string, is: Reason['is'] = always): Reason => ({ words, isRunning: true, is });
const stops = (words: string, is: Reason['is'] = always): Reason => ({ words, isRunning: false, is });

/**
 * True if the customer was told of the wait and nobody has stopped the payout since. The review announces people's approval. A
 * wait caused by the customer's own sums counts as announced: they choose which of their orders is paid first.
 */
const isAnnounced = ({ pinned, facts }: OrderView): boolean =>
  (pinned.promised?.hasApproval === true || facts.hasOwnWait === true) && !facts.isStopped;
const isTakenBack = ({ positions }: OrderView): boolean => positions.receivable > 0n;

/** Reasons for each state. The first that applies holds; the last one always applies. */
export const CLOCK: Readonly<Record<OrderState, readonly Reason[]>> = {
  awaiting: [stops('nothing is paid')],
  seen: [stops('its payment is not final, or does not fit')],
  choosing: [stops('its customer chooses')],
  holding: [
    stops('papers were asked for', ({ facts }) => facts.hold?.papers !== undefined),
    stops('the quote announced people, and none came in time', (order) => isUnapproved(order) && isAnnounced(order)),
    runs('people were to approve it, and none came in time', isUnapproved),
    stops('screening, the law or a debt'),
  ],
  approving: [
    stops('the quote announced people', isAnnounced),
    // The clearing period of a reversible payment is not counted (`clockAfter`).
    runs('people approve it, or its clearing period is over'),
  ],
  paying: [
    stops('its payment was taken back', isTakenBack),
    stops('it was handed to its rail', ({ facts }) => facts.sent !== undefined),
    runs('it waits for us, for our float, or a send is in doubt'),
  ],
  undelivered: [
    stops('its payment was taken back', isTakenBack),
    runs('our float is empty, or the rail is down', ({ facts }) => facts.isTransient && facts.exchange !== undefined),
    stops('its customer names an account'),
  ],
  refunding: [stops('it is given back')],
  unclaimed: [stops('its customer claims it')],
  frozen: [stops('the law holds it')],
  expired: [stops('it is over')],
  cancelled: [stops('it is over')],
  completed: [stops('it is over')],
  refunded: [stops('it is over')],
  applied: [stops('it is over')],
  reversed: [stops('it is over')],
  surrendered: [stops('it is over')],
  charged_back: [stops('it is over')],
};

function isUnapproved({ facts }: OrderView): boolean {
  return facts.hold?.isUnapproved === true;
}

/** Returns the reason that the clock sees for an order's state. */
export const reasonToWait = (order: OrderView): Reason => CLOCK[order.state].find(({ is }) => is(order)) as Reason;

/** Time on the clock in ms, and the moment of that reading; undefined before the clock has begun. */
export type Clock = NonNullable<Facts['clock']>;

/** Returns the clock of an order after an event that turned it into `next`. The clock begins with the first reason that runs. */
export function clockAfter(before: OrderView, next: OrderView, now: Date): Clock | undefined {
  const { clock, approval } = before.facts;
  if (!clock) return reasonToWait(next).isRunning ? { ran: 0, at: now } : undefined;
  const from = Math.max(clock.at.getTime(), approval?.clearingUntil?.getTime() ?? 0);
  return { ran: clock.ran + (reasonToWait(before).isRunning ? Math.max(0, now.getTime() - from) : 0), at: now };
}

/** Returns the seconds that an order took us; null if the clock never began. */
export const takenSeconds = ({ facts }: OrderView): number | null => (facts.clock ? Math.round(facts.clock.ran / 1_000) : null);
