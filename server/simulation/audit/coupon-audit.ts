// The auditor's part about coupons: it computes the number of uses and the amounts of each from the orders alone, and checks that
// they have no more than was set aside for them.

import { REWARD_UNIT } from '@kurs/money';
import type { OrderView } from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import { Fault } from './invariants.ts';

/** Money that a seed sets aside for coupons, in minor units of the unit of rewards. */
export const COUPON_POT = 600_000_000n;

/** The coupons of every seed: customers have one or the other by their numbers. */
export const COUPONS = [
  { code: 'SIM-PERCENT', percent: '40', uses: 6, most_usd: '40' },
  { code: 'SIM-FIXED', value: '2', uses: 8 },
] as const;

/** A coupon in its row. */
export interface CouponRow {
  readonly id: string;
  readonly code: string;
  readonly kind: string;
  readonly uses: number | null;
  readonly taken: number;
  readonly budget: string;
  readonly held: string;
  readonly max: string;
  readonly state: string;
  /** Holder of the credit. */
  readonly holder: string | null;
}

/** Amounts of a coupon that orders have. */
interface Of {
  count: number;
  held: bigint;
  spent: bigint;
}

/** Each coupon counts each held and used amount of its orders once; its account has the money set aside less the used money. */
export function mustCountUses(rows: readonly CouponRow[], orders: readonly OrderView[], shown: (name: string) => bigint): void {
  const known = usesByCoupon(orders);
  let [there, used] = [shown(accounts.promo('late', REWARD_UNIT).name), 0n];
  for (const { id, code, kind, uses, taken, budget, held, max, state } of rows) {
    const { count, held: holds, spent } = known.get(id) ?? { count: 0, held: 0n, spent: 0n };
    if (BigInt(held) !== holds) throw new Fault(`the coupon ${code} holds ${held}, its orders hold ${holds}`);
    if (kind === 'percent' && taken !== count) throw new Fault(`the coupon ${code} was used ${taken} times, by ${count} orders`);
    if (uses !== null && taken > uses) throw new Fault(`the coupon ${code} was used ${taken} times of ${uses}`);
    if (spent + holds > BigInt(max)) throw new Fault(`the coupon ${code} has given ${spent + holds} of ${max}`);
    if (kind === 'percent') {
      if (BigInt(budget) !== BigInt(max) - spent)
        throw new Fault(`the coupon ${code} has ${budget} left, ${spent} of ${max} are used`);
      continue;
    }
    const status = shown(accounts.coupon(id, REWARD_UNIT).name);
    const isThere = state === 'waiting' ? 0n : BigInt(budget);
    if (status !== isThere) throw new Fault(`${status} stand in the coupon ${code}, which has ${isThere} left`);
    if (kind === 'credit') continue;
    there += status;
    used += spent;
  }
  if (there + used !== COUPON_POT) throw new Fault(`of ${COUPON_POT} for coupons ${there} are there, and ${used} are used`);
}

function usesByCoupon(orders: readonly OrderView[]): Map<string, Of> {
  const known = new Map<string, Of>();
  for (const { pinned, facts } of orders) {
    const booked = facts.exchange ?? facts.boughtBack?.exchange;
    for (const { id, coupon, held } of pinned.coupons ?? []) {
      const taken = [...(booked?.coupons ?? []), ...(facts.couponsRetained ?? [])].find(({ use }) => use === id);
      if (!taken && (booked || facts.hasEndedCoupons)) continue;
      const of = known.get(coupon) ?? { count: 0, held: 0n, spent: 0n };
      of.count += 1;
      if (taken) of.spent += taken.parts;
      else of.held += held;
      known.set(coupon, of);
    }
  }
  return known;
}
