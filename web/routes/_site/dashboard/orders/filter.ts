import type { OrderStatus } from '../../../../features/contract-words.ts';
import { m } from '../../../../features/words.ts';

/** Groups by which customers filter orders, with the statuses in each group. */
export const GROUPS = {
  open: ['waiting', 'seen', 'confirming', 'checking', 'choose', 'paying', 'refunding'],
  done: ['done'],
  refunded: ['refunded'],
  ended: ['expired', 'cancelled', 'rejected'],
} as const satisfies Record<string, readonly OrderStatus[]>;

export type OrdersGroup = keyof typeof GROUPS;

/** Filter of the list of orders, as in the page's URL: days as typed; an empty text for a field that is not set. */
export interface OrdersFilter {
  readonly status: OrdersGroup | 'all';
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly q: string;
}

/** True if a field other than the group (`status`) restricts the list. */
export const isFiltered = ({ currency, from, to, q }: OrdersFilter): boolean =>
  [currency, from, to, q].some((text) => text !== '');

/** Returns the error text for a date field. */
export const dayError = (wrong: 'day' | 'order' | undefined): string | undefined =>
  wrong && { day: m.orders_wrong_day, order: m.orders_days_turned }[wrong]();

/** Converts a filter to a URL query that contains only the fields that are set. */
export function queryOf(filter: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'status' && value === 'all')),
  );
}

/** Returns the name of a group of orders. */
export const groupName = (group: OrdersGroup | 'all'): string =>
  ({
    all: m.orders_all,
    open: m.orders_open,
    done: m.orders_done,
    refunded: m.orders_refunded,
    ended: m.orders_ended,
  })[group]();
