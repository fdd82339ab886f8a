// Clocks. Rooms take the time from this file or from the database, never from the machine directly.
//
// Everything that happens to money is dated by the database (`tx.now`, `db.now()`), so that processes agree. In the sandbox, a
// row of the database moves its clock forward. In live mode the database refuses that row (see 0001_platform.sql).

/** Milliseconds of a monotonic clock: for durations and timeouts only. */
export const monotonicMs = (): number => performance.now();

/** The machine's wall clock: for logs and for protocols that keep real time (TOTP), never for money. */
export const wallClock = (): Date => new Date();
