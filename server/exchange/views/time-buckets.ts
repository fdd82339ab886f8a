// Histogram of orders' durations: numbers of orders by buckets with fixed ends, which can be summed over days and directions.

/** Ends of the buckets, in minutes; longer durations count in the last bucket. */
export const BUCKETS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120, 180, 240, 360, 480, 720],
  ...[1_440, 2_880, 10_080, 43_200],
];

/** Number of orders in a bucket, by the bucket's end. */
export interface Bucket {
  readonly minutes: number;
  readonly orders: number;
}

/**
 * Returns the end of the bucket that a share of all orders reaches (0.5: half of them took no longer). Buckets come in any
 * sequence and may repeat. Undefined without orders.
 */
export function reached(buckets: readonly Bucket[], share: number): number | undefined {
  const sorted = buckets.toSorted((one, other) => one.minutes - other.minutes);
  const wanted = sorted.reduce((sum, { orders }) => sum + orders, 0) * share;
  let sum = 0;
  return sorted.find(({ orders }) => (sum += orders) >= wanted)?.minutes;
}
