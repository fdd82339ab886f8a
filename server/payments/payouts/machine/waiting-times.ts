// For how long what was sent is waited for, and what happens after that.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** What lies in a block is looked at after so long, if no block has made it due. */
export const IN_BLOCK_MS = 30 * SECOND;
/** A chain that neither takes nor shows a transaction for so long is told as doubt, so that people may decide. */
export const QUIET_DOUBT_MS = 60 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** So long what a provider has done is still looked at, at doubling intervals: some tell nobody when it comes back. */
export const RETURNS_MS = 30 * DAY;
/** So long what has ended is looked at at least: what was believed not to be sent may turn up. */
export const LATE_FIND_MS = 30 * DAY;

/** The pause after so many tries. */
export const backoff = (tries: number): number => Math.min(5 * MINUTE, SECOND * 2 ** Math.min(tries, 9));
