import type { Output, Routes } from '@kurs/contract';

/** Order as its holder sees it. */
export type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
export type Choice = Order['choices'][number];
export type Transfer = Order['transfers'][number];

/** True if the order has ended: nothing changes it automatically. */
export function isOver(order: Pick<Order, 'status'>): boolean {
  return ['done', 'expired', 'cancelled', 'refunded', 'rejected'].includes(order.status);
}

interface OrderVersion {
  readonly seq: number;
  readonly messages?: number | undefined;
  readonly confirmations?: number | undefined;
}

/**
 * Returns the stream's event id for the state that a page shows: the order's version, its chat's version once there is a chat,
 * and the number of confirmations of its pending payments.
 */
export const markOf = ({ seq, messages, confirmations }: OrderVersion): string =>
  `${seq}${messages ? `.${messages}` : ''}${confirmations === undefined ? '' : `+${confirmations}`}`;
