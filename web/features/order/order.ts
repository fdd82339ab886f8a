import type { Output, Routes } from '@kurs/contract';

/** Order as the API shows it to its customer. */
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
 * Returns the event id, as in the order's stream, of the state that a page shows. It is made from the order's version, its chat's
 * version if there is a chat, and the confirmations of its pending payments.
 */
export const markOf = ({ seq, messages, confirmations }: OrderVersion): string =>
  `${seq}${messages ? `.${messages}` : ''}${confirmations === undefined ? '' : `+${confirmations}`}`;
