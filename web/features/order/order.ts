import type { Output, Routes } from '@kurs/contract';

/** An order as its holder sees it. */
export type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
export type Choice = Order['choices'][number];
export type Transfer = Order['transfers'][number];

/** Nothing more happens to it by itself. */
export function isOver(order: Pick<Order, 'status'>): boolean {
  return ['done', 'expired', 'cancelled', 'refunded', 'rejected'].includes(order.status);
}
