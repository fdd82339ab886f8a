// Pauses between look-ups of a send, and ages of a send after which its handling changes.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** Pause before the next look-up of a send in a block, in ms, if no block makes the send due earlier. */
export const IN_BLOCK_MS = 30 * SECOND;
/** Age in ms at which a chain's send is in doubt if the chain has neither accepted nor shown it. People may then decide. */
export const QUIET_DOUBT_MS = 60 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/**
 * Age in ms up to which a provider's finished send is looked up, at doubling intervals: some providers return money without
 * notice.
 */
export const RETURNS_MS = 30 * DAY;
/** Shortest time in ms for which an ended send is looked up, because it may be found late. */
export const LATE_FIND_MS = 30 * DAY;

/** Returns the pause in ms before the next look-up, which doubles with each try. */
export const backoff = (tries: number): number => Math.min(5 * MINUTE, SECOND * 2 ** Math.min(tries, 9));
