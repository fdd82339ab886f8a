import { setTimeout as sleep } from 'node:timers/promises';
import { isPrepared } from '../../payments/index.ts';
import { type Db, monotonicMs } from '../../platform/index.ts';
import { type StoredOrder, readOrder } from '../order/store/order-store.ts';

const PAUSE_MS = 100;

/**
 * Waits until the provider has prepared the order's payment, or until `ms` milliseconds have passed, and returns the order.
 * Preparing usually takes less than a second, and the page can then show at once how to pay.
 */
export async function untilPrepared(db: Db, placed: StoredOrder, ms: number): Promise<StoredOrder> {
  const until = monotonicMs() + ms;
  let order = placed;
  while (waits(order) && monotonicMs() < until) {
    await sleep(PAUSE_MS);
    order = (await readOrder(db, order.number)) ?? order;
  }
  return order;
}

const waits = ({ view }: StoredOrder): boolean =>
  view.state === 'awaiting' && view.facts.payWay === undefined && isPrepared(view.give.currency);
