// The desk's gifts: a coupon for everybody, an affiliate with a second level who leaves a part to friends, and the pot of
// rewards.

import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../server/auth/testing.ts';
import { affiliateOrders } from '../../server/affiliates/index.ts';
import { alone } from '../../server/collecting/index.ts';
import { makePlain } from '../../server/coupons/testing.ts';
import { earnSubscription } from '../../server/earn/index.ts';
import { type Db, type Subscription, newId } from '../../server/platform/index.ts';
import { fundPot } from '../../server/pots/index.ts';
import { storeCampaign } from '../../server/referrals/index.ts';

/** A customer's coupon and reference. */
export interface Gifts {
  readonly ref: string;
  readonly coupon: string;
}

/** Rooms that handle events of orders with gifts. */
export const GIVING: readonly Subscription[] = [affiliateOrders('bench'), earnSubscription];

const USES = 1_000_000;
const CODE = 'BENCH-40';
const MILLION = parse('USDT', '1000000').parts;

/** Makes the coupon and the affiliates and fills the pot in a desk's database. Returns the coupon and the reference. */
export async function openGiving(db: Db): Promise<Gifts> {
  const [second, first] = [newId(), newId()];
  let code = '';
  await alone(db, async (unit) => {
    const { tx } = unit;
    for (const [id, by] of [
      [second, null],
      [first, second],
    ] as const)
      await tx.run(
        `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referred_by)
         values ($1, $2, $2, clock_now(), 'en', clock_now(), $3)`,
        [id, `${id}@bench.test`, by],
      );
    await writeHolderMacs(tx);
    const row = await tx.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [first]);
    code = row?.code ?? '';
    await storeCampaign(tx, first, { name: 'friends', split: 50, postback: undefined, maxSplit: 50 });
    await makePlain(tx, { code: CODE, kind: 'percent', percent: '40', value: undefined, uses: USES, max: MILLION });
    unit.post(await fundPot(tx, { id: newId(), pot: 'affiliate', parts: MILLION, isBack: false }));
  });
  return { ref: `${code}.friends`, coupon: CODE };
}
