import type { OrderStatus } from '../../../../features/contract-words.ts';
import { m } from '../../../../features/words.ts';

/** Groups that customers filter orders by, with the statuses of each. */
export const GROUPS = {
  open: ['waiting', 'seen', 'confirming', 'checking', 'choose', 'paying', 'refunding'],
  done: ['done'],
  refunded: ['refunded'],
  ended: ['expired', 'cancelled', 'rejected'],
} as const satisfies Record<string, readonly OrderStatus[]>;

export type OrdersGroup = keyof typeof GROUPS;

/** Filter of the list, as in the page's address: days as typed, empty fields for no restriction. */
export interface OrdersFilter {
  readonly status: OrdersGroup | 'all';
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly q: string;
}

/** True if anything besides the group restricts the list. */
export const isFiltered = ({ currency, from, to, q }: OrdersFilter): boolean =>
  [currency, from, to, q].some((text) => text !== '');

/** Error text for the field of a day. */
export const dayError = (wrong: 'day' | 'order' | undefined): string | undefined =>
  wrong && { day: m.orders_wrong_day, order: m.orders_days_turned }[wrong]();

/** Converts a filter to a query with the set fields only. */
export function queryOf(filter: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'status' && value === 'all')),
  );
}

/** Name of a group. */
export const groupName = (group: OrdersGroup | 'all'): string =>
  ({
    all: m.orders_all,
    open: m.orders_open,
    done: m.orders_done,
    refunded: m.orders_refunded,
    ended: m.orders_ended,
  })[group]();
