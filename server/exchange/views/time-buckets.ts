// How long orders take, as a histogram: numbers of orders by buckets of fixed ends, which add up over days and directions.

/** Ends of the buckets, in minutes; what took longer counts in the last. */
export const BUCKETS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120, 180, 240, 360, 480, 720],
  ...[1_440, 2_880, 10_080, 43_200],
];

/** How many orders fell into a bucket, by its end. */
export interface Bucket {
  readonly minutes: number;
  readonly orders: number;
}

/**
 * The end of the bucket that a share of all orders (0.5: half of them) reaches at least: so many took no longer. Buckets come
 * in any order, and may repeat. Undefined where there is no order.
 */
export function reached(buckets: readonly Bucket[], share: number): number | undefined {
  const sorted = buckets.toSorted((one, other) => one.minutes - other.minutes);
  const wanted = sorted.reduce((sum, { orders }) => sum + orders, 0) * share;
  let sum = 0;
  return sorted.find(({ orders }) => (sum += orders) >= wanted)?.minutes;
}
