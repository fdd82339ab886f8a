import { REWARD_UNIT } from '@kurs/money';
import { type BooksCheck, accounts, accuse } from '../ledger/index.ts';
import { potAccount } from '../pots/index.ts';
import { alteredCoupons, alteredUses } from './coupon-store.ts';

/** SQL: coupons whose amounts differ from their uses. With `$1`: among open ones, and those of these coupons and orders. */
const WRONG = `select coupon.id from coupon
  left join (
    select coupon_id, count(*) filter (where state <> 'free' and rest_of is null) as taken,
      sum(held) filter (where state = 'held') as held, sum(spent) filter (where state = 'spent') as spent,
      sum(rest) filter (where state = 'spent') as rest
    from coupon_use group by coupon_id
  ) as used on used.coupon_id = coupon.id
  where ($1::uuid[] is null or coupon.state in ('waiting', 'live') or coupon.held > 0 or coupon.id = any ($1)
      or coupon.id in (select coupon_id from coupon_use where owner_id = any ($1)))
    and (coupon.taken <> coalesce(used.taken, 0)
    or coupon.held <> coalesce(used.held, 0)
    or coupon.budget <> case when kind = 'credit' and state <> 'live' then coupon.held
      else case when kind in ('percent', 'credit') then max else from_pot end - coalesce(used.spent, 0) end
    or (coupon.state = 'live' and coalesce(used.rest, 0) > coupon.budget - coupon.held))
  order by 1`;

/** SQL: given-up credit of closed accounts: its total less spent and held amounts. */
const GIVEN_UP = `select coalesce(sum(max - budget - coalesce(spent, 0)), 0) as parts from coupon
  left join (select coupon_id, sum(spent) as spent from coupon_use where state = 'spent' group by coupon_id) as used
    on used.coupon_id = coupon.id
  where kind = 'credit' and state <> 'live'`;

/** Checks that the coupon accounts hold the money set aside less the used money, and that each coupon counts its uses. */
export const couponCheck: BooksCheck = {
  accountTypes: ['coupon', 'promo:late', 'promo:earn'],
  causes: [{ kinds: ['coupon_issued', 'coupon_expired'], rows: 'select id from coupon' }],
  async balances(db) {
    const rows = await db.rows<{ id: string; code: string; budget: string }>(
      `select id, code, budget from coupon where kind <> 'percent' and state <> 'waiting' and budget > 0 order by id`,
    );
    const taken = await db.row<{ parts: string }>('select coalesce(sum(from_pot), 0) as parts from coupon');
    const givenUp = await db.row<{ parts: string }>(GIVEN_UP);
    return [
      { account: potAccount('late'), parts: -BigInt(taken?.parts ?? '0'), of: 'coupons' },
      { account: potAccount('earn'), parts: BigInt(givenUp?.parts ?? '0'), of: 'the credit of closed accounts' },
      ...rows.map(({ id, code, budget }) => ({
        account: accounts.coupon(id, REWARD_UNIT),
        parts: BigInt(budget),
        of: `the coupon ${code}`,
      })),
    ];
  },
  async faults(db, scope) {
    const wrong = await db.rows<{ id: string }>(WRONG, [scope?.causes ?? null]);
    return [
      ...accuse(
        'coupon',
        wrong.map(({ id }) => `coupon:${id}`),
        'its sums are not those of its uses',
      ),
      ...accuse('coupon', await alteredCoupons(db, scope?.causes), 'the coupon is not as it was made'),
      ...accuse('coupon', await alteredUses(db, scope?.causes), 'the use of a coupon is not as it was held'),
    ];
  },
};
