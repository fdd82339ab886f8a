import type { OrderStatus } from '../../../../features/contract-words.ts';
import { m } from '../../../../features/words.ts';

/** Orders as people look for them, by the words that each group holds. */
export const GROUPS = {
  open: ['waiting', 'seen', 'confirming', 'checking', 'choose', 'paying', 'refunding'],
  done: ['done'],
  refunded: ['refunded'],
  ended: ['expired', 'cancelled', 'rejected'],
} as const satisfies Record<string, readonly OrderStatus[]>;

export type OrdersGroup = keyof typeof GROUPS;

/** What the list is narrowed by, as it stands in the address: days as typed, empty where nothing is asked. */
export interface OrdersFilter {
  readonly status: OrdersGroup | 'all';
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly q: string;
}

/** Whether anything beside the group is asked for. */
export const isFiltered = ({ currency, from, to, q }: OrdersFilter): boolean =>
  [currency, from, to, q].some((text) => text !== '');

/** Error at the field of a day. */
export const dayError = (wrong: 'day' | 'order' | undefined): string | undefined =>
  wrong && { day: m.orders_wrong_day, order: m.orders_days_turned }[wrong]();

/** A filter as a query: only what is set. */
export function queryOf(filter: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'status' && value === 'all')),
  );
}

/** What a group is called. */
export const groupName = (group: OrdersGroup | 'all'): string =>
  ({
    all: m.orders_all,
    open: m.orders_open,
    done: m.orders_done,
    refunded: m.orders_refunded,
    ended: m.orders_ended,
  })[group]();
