import type { Output, Routes } from '@kurs/contract';

/** An order as its holder sees it. */
export type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
export type Choice = Order['choices'][number];
export type Transfer = Order['transfers'][number];

/** Nothing more happens to it by itself. */
export function isOver(order: Pick<Order, 'status'>): boolean {
  return ['done', 'expired', 'cancelled', 'refunded', 'rejected'].includes(order.status);
}

interface Standing {
  readonly seq: number;
  readonly messages?: number | undefined;
  readonly confirmations?: number | undefined;
}

/**
 * The id of the stream's event that tells what a page shows: the order's version, its chat's once there is one, and how many
 * confirmations its payments have that are not final.
 */
export const markOf = ({ seq, messages, confirmations }: Standing): string =>
  `${seq}${messages ? `.${messages}` : ''}${confirmations === undefined ? '' : `+${confirmations}`}`;
