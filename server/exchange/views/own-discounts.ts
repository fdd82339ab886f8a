// Discounts of an account holder: their loyalty level, credit and coupons.

import type { Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money, roundTo, trimZeros } from '@kurs/money';
import { knownBy, shownHolder, shownKeys } from '../../compliance/index.ts';
import { type OwnCoupon, creditOf, addOwnCoupon, ownCoupons, switchCredit } from '../../coupons/index.ts';
import { holderStatus, ladder } from '../../loyalty/index.ts';
import { type AccountHolder, type Db, type Statements, canonicalEmail } from '../../platform/index.ts';

/** Returns a holder's loyalty level, the turnover missing to the next level, the credit and the coupons. */
export async function ownDiscounts(db: Db, holder: AccountHolder): Promise<Output<Routes['userDiscounts']>> {
  const [{ cents, percent, next }, owner, credit, now] = await Promise.all([
    holderStatus(db, holder),
    ownerOf(db, holder),
    creditOf(db, holder.id),
    db.now(),
  ]);
  return {
    percent,
    turnover: usd(cents),
    ...(next && { next: { from: usd(next.cents), percent: next.percent, missing: usd(next.cents - cents) } }),
    levels: ladder().map((level) => ({ from: usd(level.cents), percent: level.percent })),
    ...(credit && { credit: { left: exact(credit.left), on: credit.isOn } }),
    coupons: (await ownCoupons(db, owner, now)).map(couponWire),
  };
}

/** Switches a holder's credit on or off. Throws `not_found` if they have none. */
export const switchOwnCredit = (db: Db, { id }: Pick<AccountHolder, 'id'>, isOn: boolean): Promise<void> =>
  db.tx((tx) => switchCredit(tx, id, isOn));

/**
 * Adds a coupon to a holder's list of coupons. Throws `coupon_unknown`, `coupon_altered`, `coupon_over`, and `coupon_not_yours`
 * if it is another customer's.
 */
export const addCoupon = (db: Db, holder: AccountHolder, code: string): Promise<void> =>
  db.tx(async (tx) => addOwnCoupon(tx, code, await ownerOf(tx, holder)));

async function ownerOf(db: Statements, { id, email, isEmailVerified }: AccountHolder) {
  const shown = await shownHolder(db, id);
  const subject = { email, holder: shown, accounts: [], device: undefined, ip: undefined };
  const known = { keys: knownBy(subject), shown: shownKeys(subject) };
  return { holderId: id, emailKey: isEmailVerified ? canonicalEmail(email) : undefined, ...known };
}

function couponWire({ coupon, status, left }: OwnCoupon): Output<Routes['userDiscounts']>['coupons'][number] {
  const { code, kind, percent, endsAt } = coupon;
  return {
    code,
    kind: kind as 'late',
    status,
    ...(percent === undefined ? { left: rewards(left) } : { percent }),
    ...(endsAt && { until: endsAt.toISOString() }),
  };
}

/** Formats a credit in USD with all its digits, as the page of prizes does: prizes may be less than a cent. */
const exact = (parts: bigint): string => trimZeros(format(money(REWARD_UNIT, parts)), 2);
/** Formats parts of the unit of rewards in USD, rounded down. */
const rewards = (parts: bigint): string => format(roundTo(money(REWARD_UNIT, parts), 2, 'down'), 2);
const usd = (cents: bigint): string => format(money('USD', cents), 2);
