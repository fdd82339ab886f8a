// Histogram of orders' durations: the number of orders in each bucket. All histograms have the same buckets, so they can be added
// up over days and directions.

/** Upper bounds of the buckets, in minutes. Longer durations are added to the last bucket. */
export const BUCKETS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120, 180, 240, 360, 480, 720],
  ...[1_440, 2_880, 10_080, 43_200],
];

/** Number of orders in a bucket. `minutes`: the bucket's upper bound. */
export interface Bucket {
  readonly minutes: number;
  readonly orders: number;
}

/**
 * Returns the upper bound of the bucket up to which a share of all orders lies (0.5: the median). Buckets may come in any
 * sequence, and more than once. Undefined without orders.
 */
export function reached(buckets: readonly Bucket[], share: number): number | undefined {
  const sorted = buckets.toSorted((one, other) => one.minutes - other.minutes);
  const wanted = sorted.reduce((sum, { orders }) => sum + orders, 0) * share;
  let sum = 0;
  return sorted.find(({ orders }) => (sum += orders) >= wanted)?.minutes;
}
