import { isMac, macOf } from '../platform/index.ts';
import type { OrderView } from './order.ts';

/**
 * What of an order is kept with a MAC: every account that its money may go to (given, to be paid, waiting to be, and those that
 * payments came from), and what it was promised. Kept anew with each event; an order whose MAC isn't right sends nothing.
 */
function contentOf({ id, give, get, receive, refund, pinned, payments, facts }: OrderView): string {
  const sources = payments.map(({ id: payment, source }) => [payment, source]);
  return steady([id, give, get, receive, refund, pinned, sources, facts.pending]);
}

/** The MAC of an order as it stands. */
export const orderMac = (order: OrderView): string => macOf('order', contentOf(order));

/** Does an order still say what it was kept with? */
export const isAsKept = (order: OrderView, mac: string | null): boolean => isMac('order', contentOf(order), mac);

/** Text that is the same for the same value, in whatever order its keys come back from the database. */
function steady(value: unknown): string {
  if (value instanceof Date) return `${value.getTime()}t`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(steady).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${steady(each)}`)
    .join()}}`;
}
