import type { Output, Routes } from '@kurs/contract';

/** Order as the API shows it to its customer. */
export type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
export type Choice = Order['choices'][number];
export type Transfer = Order['transfers'][number];

/** True if the order has ended. An ended order no longer changes automatically. */
export function isOver(order: Pick<Order, 'status'>): boolean {
  return ['done', 'expired', 'cancelled', 'refunded', 'rejected'].includes(order.status);
}

interface OrderVersion {
  readonly seq: number;
  readonly messages?: number | undefined;
  readonly confirmations?: number | undefined;
}

/**
 * Returns the id of the stream event for the state of the order that a page shows. The id is made from the versions of the order
 * and its chat, and from the confirmations of pending payments.
 */
export const markOf = ({ seq, messages, confirmations }: OrderVersion): string =>
  `${seq}${messages ? `.${messages}` : ''}${confirmations === undefined ? '' : `+${confirmations}`}`;
