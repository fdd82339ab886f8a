// Times between look-ups of a send, and the limits after which something else happens.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** Pause of a send in a block, if no block makes it due earlier. */
export const IN_BLOCK_MS = 30 * SECOND;
/** A send that a chain neither takes nor shows for this long counts as in doubt, so that people may decide. */
export const QUIET_DOUBT_MS = 60 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A provider's finished send is looked up for this long, at doubling intervals: some return money without notice. */
export const RETURNS_MS = 30 * DAY;
/** An ended send is looked up for at least this long: it may be found late. */
export const LATE_FIND_MS = 30 * DAY;

/** Returns the pause (ms) after a number of tries. */
export const backoff = (tries: number): number => Math.min(5 * MINUTE, SECOND * 2 ** Math.min(tries, 9));
