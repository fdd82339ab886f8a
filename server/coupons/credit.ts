// The credit of an account holder: one balance of prizes that applies automatically beside a code. It never expires. The rest of
// a closed account goes to the pot of prizes.

import { Problem } from '@kurs/contract';
import { REWARD_UNIT, money } from '@kurs/money';
import { type Journal, accounts, leg } from '../ledger/index.ts';
import { type Statements, type Tx, newId } from '../platform/index.ts';
import { type CouponRequest, requireUnaltered } from './coupon-request.ts';
import { type Coupon, MIN_PARTS, couponAccount, givenBack, newCode, stepOf } from './coupon.ts';
import { findCredit, findCredits, lockCoupons, openCredit, saveCoupons } from './coupon-store.ts';

/** Prizes that become credit, in minor units of the unit of rewards. */
export interface CreditAdded {
  /** Id of the journal. */
  readonly id: string;
  readonly holderId: string;
  readonly parts: bigint;
}

/** A holder's credit, in minor units of the unit of rewards, and its switch. */
export interface Credit {
  /** Part of it that no order holds. */
  readonly left: bigint;
  readonly isOn: boolean;
}

/**
 * Adds prizes to their holder's credit. Returns its journal, `earn → coupon`. Throws `coupon_over` for a closed account, and
 * `coupon_altered` if SQL changed the row.
 */
export async function addCredit(tx: Tx, { id, holderId, parts }: CreditAdded): Promise<Journal> {
  const fresh = creditOfNobody(holderId, parts, tx.now);
  const coupon = await openCredit(tx, fresh);
  requireUnaltered(coupon);
  if (coupon.state !== 'live') throw new Problem('coupon_over');
  if (coupon.id !== fresh.id) await saveCoupons(tx, [{ ...coupon, budget: coupon.budget + parts, max: coupon.max + parts }]);
  const legs = [leg(accounts.earn(holderId, REWARD_UNIT), couponAccount(coupon.id), parts)];
  return { id, kind: 'coupon_issued', cause: coupon.id, legs };
}

/** Returns a holder's credit, or undefined if they never had any. */
export async function creditOf(db: Statements, holderId: string): Promise<Credit | undefined> {
  const coupon = await findCredit(db, holderId);
  return coupon && { left: coupon.budget - coupon.held, isOn: !coupon.isOff };
}

/** Returns the discount of a holder's credit; undefined without a holder, without credit, and while it is switched off. */
export async function askCredit(db: Statements, holderId: string | undefined): Promise<CouponRequest | undefined> {
  return holderId === undefined ? undefined : givenBy(await findCredit(db, holderId));
}

/** As `askCredit`, for several holders. Holders without a discount are left out. */
export async function askCredits(db: Statements, holderIds: readonly string[]): Promise<Map<string, CouponRequest>> {
  const found = await findCredits(db, holderIds);
  return new Map(
    [...found].flatMap(([holderId, coupon]) => {
      const request = givenBy(coupon);
      return request ? [[holderId, request] as const] : [];
    }),
  );
}

function givenBy(coupon: Coupon | undefined): CouponRequest | undefined {
  if (!coupon || coupon.isAltered || coupon.isOff || coupon.state !== 'live') return undefined;
  const left = coupon.budget - coupon.held;
  return left < MIN_PARTS ? undefined : { coupon, discount: { kind: 'credit', worth: money(REWARD_UNIT, left) } };
}

/** Switches a holder's credit on or off. Orders keep the credit that they hold. Throws `not_found` if they have none. */
export async function switchCredit(tx: Tx, holderId: string, isOn: boolean): Promise<void> {
  const coupon = await lockCredit(tx, holderId);
  if (!coupon) throw new Problem('not_found');
  await saveCoupons(tx, [{ ...coupon, isOff: !isOn }]);
}

/**
 * Gives up a closed account's credit. Returns the journal to the pot of prizes, or undefined if there is no credit or SQL changed
 * its row.
 */
export async function giveUpCredit(tx: Tx, holderId: string): Promise<Journal | undefined> {
  const coupon = await lockCredit(tx, holderId);
  const step = coupon && !coupon.isAltered ? stepOf(coupon, 'closed') : undefined;
  if (!step) return undefined;
  await saveCoupons(tx, [step.next]);
  return givenBack(newId(), step.next, step.back);
}

async function lockCredit(tx: Tx, holderId: string): Promise<Coupon | undefined> {
  const found = await findCredit(tx, holderId);
  return found && (await lockCoupons(tx, [found.id])).get(found.id);
}

const creditOfNobody = (holderId: string, parts: bigint, now: Date): Coupon => ({
  ...{ id: newId(), code: newCode(), kind: 'credit', state: 'live', percent: undefined, value: undefined, max: parts },
  ...{ startsAt: undefined, endsAt: undefined, uses: undefined, perCustomer: 1, directions: undefined, min: 0n },
  ...{ isFirstOnly: false, emailKey: undefined, holderId, isOff: false },
  ...{ taken: 0, budget: parts, held: 0n, fromPot: 0n, madeBy: ['system'], madeAt: now },
  ...NOT_EARNED,
});
const NOT_EARNED = { action: undefined, earnedBy: undefined, earnedKeys: undefined, givenAt: undefined };
