import type { Output, Routes } from '@kurs/contract';

/** An order as its holder sees it. */
export type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
export type Choice = Order['choices'][number];
export type Transfer = Order['transfers'][number];

/** Nothing more happens to it by itself. */
export function isOver(order: Pick<Order, 'status'>): boolean {
  return ['done', 'expired', 'cancelled', 'refunded', 'rejected'].includes(order.status);
}

/** The id of the stream's event that tells what a page shows: the order's version, and its chat's once there is one. */
export const markOf = ({ seq, messages }: { seq: number; messages?: number | undefined }): string =>
  messages ? `${seq}.${messages}` : `${seq}`;
