// Clock of the promised time: measures how long an order takes us. The clock begins with a payment that is final, sufficient and
// clean, and ends when the payout is handed to its rail. A table lists the reasons for being in each state, and says for each if
// the clock runs meanwhile. Pure.

import type { Facts, OrderState, OrderView } from './order.ts';

/** Reason for an order to be in a state. `isRunning`: the clock runs meanwhile. */
export interface Reason {
  readonly words: string;
  readonly isRunning: boolean;
  readonly is: (order: OrderView) => boolean;
}

const always = (): boolean => true;
const runs = (words: string, is: Reason['is'] = always): Reason => ({ words, isRunning: true, is });
const stops = (words: string, is: Reason['is'] = always): Reason => ({ words, isRunning: false, is });

/**
 * True if the customer was told that people approve the payout, and nobody has stopped the payout since. The review announces the
 * approval. An approval that the customer's own payout totals require is treated as announced: customers choose which of their
 * orders is paid first.
 */
const isAnnounced = ({ pinned, facts }: OrderView): boolean =>
  (pinned.promised?.hasApproval === true || facts.hasOwnWait === true) && !facts.isStopped;
const isTakenBack = ({ positions }: OrderView): boolean => positions.receivable > 0n;

/** Reasons for being in each state. The first reason that applies is used; the last one of a state always applies. */
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
    // `clockAfter` leaves the clearing period of a reversible payment out.
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

/** Returns the reason for an order's state, by which its clock runs or stops. */
export const reasonToWait = (order: OrderView): Reason => CLOCK[order.state].find(({ is }) => is(order)) as Reason;

/** `ran`: time that the clock shows, in ms. `at`: moment of that reading. */
export type Clock = NonNullable<Facts['clock']>;

/**
 * Returns the order's clock after an event that turned the order into `next`. The clock begins with the first reason by which it
 * runs; undefined before.
 */
export function clockAfter(before: OrderView, next: OrderView, now: Date): Clock | undefined {
  const { clock, approval } = before.facts;
  if (!clock) return reasonToWait(next).isRunning ? { ran: 0, at: now } : undefined;
  const from = Math.max(clock.at.getTime(), approval?.clearingUntil?.getTime() ?? 0);
  return { ran: clock.ran + (reasonToWait(before).isRunning ? Math.max(0, now.getTime() - from) : 0), at: now };
}

/** Returns the seconds that an order took us; null if the clock never began. */
export const takenSeconds = ({ facts }: OrderView): number | null => (facts.clock ? Math.round(facts.clock.ran / 1_000) : null);
