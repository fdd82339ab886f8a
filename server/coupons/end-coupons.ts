import { Problem } from '@kurs/contract';
import type { Journal } from '../ledger/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { typedCoupon } from './coupon-request.ts';
import { givenBack, stepOf } from './coupon.ts';
import { lockCoupons, lockEnded, saveCoupons } from './coupon-store.ts';

/** Ends coupons whose time is over. Returns the journals to the pot of late coupons. */
export async function endCoupons(tx: Tx): Promise<Journal[]> {
  const steps = (await lockEnded(tx)).flatMap((coupon) => stepOf(coupon, 'ended') ?? []);
  await saveCoupons(
    tx,
    steps.map(({ next }) => next),
  );
  return steps.flatMap(({ next, back }) => givenBack(newId(), next, back) ?? []);
}

/**
 * Stops a coupon: nobody begins a use of it, and held uses go on. `id`: the action's, and the journal's. Throws `coupon_unknown`,
 * and `coupon_over` if it is not live.
 */
export async function stopCoupon(tx: Tx, code: string, id: string): Promise<Journal | undefined> {
  const found = await typedCoupon(tx, code);
  const coupon = found && (await lockCoupons(tx, [found.id])).get(found.id);
  if (!coupon || coupon.kind === 'credit') throw new Problem('coupon_unknown');
  const step = stepOf(coupon, 'stop');
  if (!step) throw new Problem('coupon_over');
  await saveCoupons(tx, [step.next]);
  return givenBack(id, step.next, step.back);
}
