import type { Output, Routes } from '@kurs/contract';
import { format } from '@kurs/money';
import { ordersPlacedSince } from '../../exchange/index.ts';
import { currencyOf } from '../../payments/index.ts';
import type { Db } from '../../platform/index.ts';
import { closedNow, currentView, price, reserveOf } from '../../pricing/index.ts';

/** Returns every direction, in the sequence in which customers see them. Price changes name a direction by its slug. */
export async function directionsView(db: Db): Promise<Output<Routes['operatorDirections']>> {
  const midnight = new Date(`${(await db.now()).toISOString().slice(0, 10)}T00:00:00Z`);
  const placed = await ordersPlacedSince(db, midnight);
  return currentView().directions.map((direction) => {
    const { slug, from, to, isOn, spread } = direction;
    const [priced, closed] = [price(direction), closedNow(direction)];
    return {
      ...{ slug, from, to, on: isOn, ...(closed !== undefined && { closed }), spread: spread.map((step) => ({ ...step })) },
      ...('terms' in priced && {
        min: format(priced.bounds.min, priced.terms.giveDigits),
        max: format(priced.bounds.max, priced.terms.giveDigits),
      }),
      ...(currencyOf(to) && { reserve: format(reserveOf(to)) }),
      orders_today: placed.get(`${from} ${to}`) ?? 0,
    };
  });
}
