// How many processes like this one live, on whatever machine: what they may do together is divided by it.

let count = 1;

/** Notes how many processes of this kind live, this one included. */
export const noteLiving = (found: number): void => void (count = Math.max(1, found));

/** How many processes of this kind lived when it was looked last; 1 before that. */
export const livingLikeUs = (): number => count;
