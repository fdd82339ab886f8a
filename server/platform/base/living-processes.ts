// Number of running processes of the same kind (such as api) on all machines. Each process enforces its share of a common limit.

let count = 1;

/** Stores the number of running processes of the same kind as this process, including this process. */
export const noteLiving = (found: number): void => void (count = Math.max(1, found));

/** Returns the last counted number of running processes of the same kind as this process; 1 before the first count. */
export const livingLikeUs = (): number => count;
