import { setTimeout as sleep } from 'node:timers/promises';
import { isPrepared } from '../../payments/index.ts';
import { type Db, monotonicMs } from '../../platform/index.ts';
import { type StoredOrder, readOrder } from '../order/store/order-store.ts';

const PAUSE_MS = 100;

/**
 * An order as it stands once its provider has prepared the payment, or after so many milliseconds: it usually takes less
 * than one second, and anyone who places an order wants to see how to pay it.
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
