// The number of running processes of this kind, on all machines. Limits that they share are divided by it.

let count = 1;

/** Stores the number of running processes of this kind, this one included. */
export const noteLiving = (found: number): void => void (count = Math.max(1, found));

/** Returns the number of running processes of this kind, as last counted; 1 before the first count. */
export const livingLikeUs = (): number => count;
