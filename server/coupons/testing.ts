// Test support for rooms above: coupons without conditions.

import type { Journal } from '../ledger/index.ts';
import { type Db, type Tx, newId } from '../platform/index.ts';
import { lockCoupons, lockUses, saveCoupons, saveUses } from './coupon-store.ts';
import { type CouponsWanted, makeCoupons } from './make-coupons.ts';

export { earnLate } from './late/late-coupons.ts';

/** A coupon for everybody and everything, once each, but for what is said. */
const plainCoupon = (
  own: Pick<CouponsWanted, 'code' | 'kind' | 'percent' | 'value' | 'max'> & Partial<CouponsWanted>,
): CouponsWanted => ({
  ...{ count: 1, uses: 1, perCustomer: 1, startsAt: undefined, endsAt: undefined, directions: undefined, min: 0n },
  ...{ isFirstOnly: false, emailKey: undefined },
  ...own,
});

/** Stores the MACs of coupons and uses that a test has written or changed by SQL. */
export const markCoupons = (db: Db): Promise<void> =>
  db.tx(async (tx) => {
    const ids = (table: string): Promise<string[]> =>
      tx.rows<{ id: string }>(`select id from ${table}`).then((rows) => rows.map(({ id }) => id));
    const coupons = await lockCoupons(tx, await ids('coupon'));
    await saveCoupons(
      tx,
      [...coupons.values()].map((one) => ({ ...one, isAltered: false })),
    );
    const uses = await lockUses(tx, await ids('coupon_use'));
    await saveUses(
      tx,
      [...uses.values()].map((one) => ({ ...one, isAltered: false })),
    );
  });

/** Makes coupons as somebody of the desk; gives the journals of what is set aside for them. */
export async function makePlain(tx: Tx, ...all: Parameters<typeof plainCoupon>[0][]): Promise<Journal[]> {
  const journals: Journal[] = [];
  for (const one of all) journals.push(...(await makeCoupons(tx, plainCoupon(one), { by: ['ann'], action: newId() })).journals);
  return journals;
}
