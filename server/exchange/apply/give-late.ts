import { alone } from '../../collecting/index.ts';
import { fillLate } from '../../coupons/index.ts';
import type { Db } from '../../platform/index.ts';
import { settings } from '../machine/settings.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { readOrders } from '../order/store/order-store.ts';
import { type Sender, lateCoupon, queueAbout } from '../letters/letters.ts';
import { leftForLate } from './late-orders.ts';

/**
 * Gives the waiting coupons for late orders, as far as the day's sum and the pot allow, each with a letter; returns their number.
 */
export const giveWaiting = (db: Db, sender: Sender): Promise<number> =>
  alone(db, async (unit) => {
    const { given, journals } = await fillLate(unit.tx, leftForLate(unit));
    for (const journal of journals) unit.post(journal);
    if (given.length === 0 || !settings.get('exchange.mails')) return given.length;
    const orders = new Map(
      (
        await readOrders(
          unit.tx,
          given.map((one) => one.earnedBy),
        )
      ).map((order) => [order.view.id, order]),
    );
    const letters = given.flatMap((coupon) => {
      const order = orders.get(coupon.earnedBy);
      if (order?.isAltered) reportAltered(order);
      return order && !order.isAltered ? [lateCoupon(order, coupon)] : [];
    });
    await queueAbout(unit.tx, sender, ...letters);
    return given.length;
  });
