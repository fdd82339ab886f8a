import { Problem } from '@kurs/contract';
import { alarmOnce, isMac, macOf, steady } from '../../../platform/index.ts';
import type { StoredOrder } from './stored-order.ts';

/** The parts of an order that its MAC covers: the whole row, except the times of its last change and of its next timer. */
export type MarkedOrder = Omit<StoredOrder, 'updatedAt' | 'dueAt' | 'isAltered'>;

/** Returns the text that an order's MAC covers. If SQL changes any of this data, the order no longer matches its MAC. */
function contentOf({ view, ...row }: MarkedOrder): string {
  const { id, kind, state, version, give, get, receive, refund, pinned, payments, positions, facts } = view;
  const { exchange, ...rest } = facts;
  const machine = [id, kind, state, version, rest].map(steady);
  const money = [give, get, receive, refund, pinned, payments, positions, exchange].map(once);
  const { number, email, holderId, tokenVersion, usd, createdAt, finishedAt, unallocatedOf, calculationId } = row;
  const customer = [email, holderId, tokenVersion, row.locale, row.device, row.ip].map(steady);
  const others = [number, usd, createdAt, finishedAt, unallocatedOf, calculationId, row.payTo, row.payMemo].map(steady);
  return `[${[...machine, ...money, ...customer, ...others].join()}]`;
}

/**
 * Texts of an order's immutable parts, cached: they are needed when the order is read, to check its MAC, and when it is saved, to
 * make a new one.
 */
const texts = new WeakMap<object, string>();

function once(value: object | undefined): string {
  const known = value && texts.get(value);
  if (known !== undefined) return known;
  const text = steady(value);
  if (value) texts.set(value, text);
  return text;
}

/** Returns the MAC of an order. */
export const orderMac = (order: MarkedOrder): string => macOf('order', contentOf(order));

/** True if an order's row matches the MAC that was stored with it. */
export const isAsStored = (order: MarkedOrder, mac: string | null): boolean => isMac('order', contentOf(order), mac);

const report = alarmOnce('an order’s row was changed outside the product: nothing is sent or mailed for it');

/** Raises an alarm, once for each order, about a row that was changed outside the product. */
export const reportAltered = ({ view, number }: StoredOrder): void => report(view.id, { orderId: view.id, orderNumber: number });

/** Returns the order. Throws `record_altered`, and raises an alarm, if its row was changed outside the product. */
export function requireAsStored(order: StoredOrder): StoredOrder {
  if (!order.isAltered) return order;
  reportAltered(order);
  throw new Problem('record_altered');
}
