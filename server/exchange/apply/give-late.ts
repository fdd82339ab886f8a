import { alone } from '../../collecting/index.ts';
import { fillLate } from '../../coupons/index.ts';
import type { Db } from '../../platform/index.ts';
import { settings } from '../machine/settings.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { readOrders } from '../order/store/order-store.ts';
import { type Sender, lateCoupon, queueAbout } from '../letters/letters.ts';
import { leftForLate } from './late-orders.ts';

/**
 * Gives the coupons for late orders that wait for money, up to the day's maximum and the money in the pot. Mails each customer.
 * Returns the number of coupons given.
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
