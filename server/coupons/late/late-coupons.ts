// Coupons for orders that took longer than promised: worth their fee, within limits of the order, the customer and the day.
// Coupons beyond the day's limit or the pot wait, the oldest first.

import type { Journal } from '../../ledger/index.ts';
import { type Statements, type Tx, newId } from '../../platform/index.ts';
import { lockPot } from '../../pots/index.ts';
import { type CustomerKeys, requestedKeys, storedKeys } from '../claimant-keys.ts';
import { type Coupon, MIN_PARTS, funded, givenBack, newCode, stepOf } from '../coupon.ts';
import { addCoupons, lockCoupons, lockWaiting, saveCoupons } from '../coupon-store.ts';
import { lateBounds, lateUntil } from './late-settings.ts';

/** An order that took longer than promised. */
export interface Late extends CustomerKeys {
  readonly id: string;
  /** Canonical address that its coupon is bound to. */
  readonly emailKey: string;
  /** The desk's fee less discounts, in minor units of the unit of rewards. */
  readonly worth: bigint;
}

/** The current coupon of a late order. */
export interface Given {
  readonly earnedBy: string;
  readonly code: string;
  readonly parts: bigint;
  readonly until: Date;
  /** True if an earlier coupon of the same order is void. */
  readonly isAgain?: true;
}

/** New coupons, with the journals of the money set aside for them. */
interface Giving {
  readonly given: readonly Given[];
  readonly journals: readonly Journal[];
}

/** Maximum number of waiting coupons that one transaction checks. */
const BATCH_SIZE = 100;

/**
 * Makes the coupons of late orders: live at once as far as the day's limit and the pot reach, otherwise waiting. `left`: balance
 * of the pot, once it is locked. An order has one coupon at a time; it gets a new one only if the last is void, for the unused
 * amount of that.
 */
export async function earnLate(tx: Tx, all: readonly Late[], left: () => Promise<bigint>): Promise<Giving> {
  if (all.length === 0) return { given: [], journals: [] };
  await lockPot(tx, 'late');
  const bounds = lateBounds();
  const purse = await purseOf(tx, left);
  const [given, journals]: [Given[], Journal[]] = [[], []];
  for (const late of all) {
    const { has, isAgain, used } = await earnedSoFar(tx, late.id);
    const max = min(min(late.worth, bounds.each) - used, bounds.customer - (await givenTo(tx, requestedKeys(late))));
    if (max < MIN_PARTS || has) continue;
    const isGiven = purse.take(max);
    const coupon = lateCoupon(late, max, isGiven, tx.now);
    await addCoupons(tx, [coupon]);
    if (!isGiven) continue;
    given.push({
      earnedBy: late.id,
      code: coupon.code,
      parts: max,
      until: lateUntil(tx.now),
      ...(isAgain && { isAgain: true as const }),
    });
    journals.push(funded(newId(), coupon, max));
  }
  return { given, journals };
}

/** Makes waiting coupons live, the oldest first, as far as the day's limit and the pot reach. */
export async function fillLate(tx: Tx, left: () => Promise<bigint>): Promise<Giving> {
  if ((await waitingLate(tx)) === 0) return { given: [], journals: [] };
  await lockPot(tx, 'late');
  const purse = await purseOf(tx, left, { isFirst: true });
  // Locks wait for coupons that are being taken back, which are then left out.
  const all = await lockWaiting(tx, BATCH_SIZE);
  const rows = all.filter(({ isAltered }) => !isAltered);
  const reached = rows.findIndex(({ max }) => !purse.take(max));
  const filled = reached < 0 ? rows : rows.slice(0, reached);
  const until = lateUntil(tx.now);
  const live = filled.map((one): Coupon => {
    return { ...one, state: 'live', givenAt: tx.now, endsAt: until, budget: one.max, fromPot: one.max };
  });
  await saveCoupons(tx, live);
  return {
    given: live.map(({ earnedBy = '', code, max }) => ({ earnedBy, code, parts: max, until })),
    journals: live.map(({ id, max }) => funded(newId(), { id }, max)),
  };
}

/**
 * Makes the coupons of late orders that no longer count void. Held and spent amounts stay. Returns the amount that goes back.
 * Coupons whose rows SQL changed stay unchanged, and give nothing.
 */
export async function voidLate(tx: Tx, earnedBy: readonly string[]): Promise<Journal[]> {
  if (earnedBy.length === 0) return [];
  const rows = await tx.rows<{ id: string }>('select id from coupon where earned_by = any ($1)', [earnedBy], {
    name: 'coupons.earned',
  });
  const coupons = await lockCoupons(
    tx,
    rows.map(({ id }) => id),
  );
  const steps = [...coupons.values()].flatMap((coupon) => (coupon.isAltered ? [] : (stepOf(coupon, 'unearned') ?? [])));
  await saveCoupons(
    tx,
    steps.map(({ next }) => next),
  );
  return steps.flatMap(({ next, back }) => givenBack(newId(), next, back) ?? []);
}

function lateCoupon({ id: earnedBy, emailKey, ...known }: Late, max: bigint, isGiven: boolean, now: Date): Coupon {
  const money = isGiven ? max : 0n;
  return {
    ...{ id: newId(), code: newCode(), kind: 'late', state: isGiven ? 'live' : 'waiting', value: max, max, emailKey },
    ...{ percent: undefined, startsAt: undefined, endsAt: isGiven ? lateUntil(now) : undefined, uses: undefined, perCustomer: 1 },
    ...{ directions: undefined, min: 0n, isFirstOnly: false, holderId: undefined, isOff: false },
    ...{ taken: 0, budget: money, held: 0n, fromPot: money, madeBy: ['system'], madeAt: now },
    ...{ action: undefined, earnedBy, earnedKeys: storedKeys(known), givenAt: isGiven ? now : undefined },
  };
}

/**
 * Returns the amount that may still be given now: of the day's limit, and of the pot. Nothing new is given while coupons wait.
 * The used amount of a void coupon counts.
 */
async function purseOf(tx: Tx, left: () => Promise<bigint>, { isFirst = false } = {}): Promise<{ take(parts: bigint): boolean }> {
  const { day } = lateBounds();
  const row = await tx.row<{ given: string; waits: boolean }>(
    `select coalesce(sum(case when state = 'void' then from_pot else max end), 0) as given,
       exists (select from coupon where kind = 'late' and state = 'waiting') as waits
     from coupon where kind = 'late' and given_at >= date_trunc('day', $1::timestamptz, 'UTC')`,
    [tx.now],
  );
  const isBlocked = row?.waits === true && !isFirst;
  let rest = isBlocked ? 0n : min(day - BigInt(row?.given ?? '0'), await left());
  return {
    take(parts) {
      const reaches = parts <= rest;
      // A coupon beyond the limit keeps its place before later ones.
      rest = reaches ? rest - parts : 0n;
      return reaches;
    },
  };
}

/**
 * Returns the amount that a customer, found by any of these identities, has earned in 30 days; of a void coupon the used amount.
 */
async function givenTo(tx: Tx, keys: readonly string[]): Promise<bigint> {
  const row = await tx.row<{ parts: string }>(
    `select coalesce(sum(case when state = 'void' then from_pot else max end), 0) as parts from coupon
     where kind = 'late' and earned_keys && $1 and made_at > $2::timestamptz - interval '30 days'`,
    [keys, tx.now],
    { name: 'coupons.given_to' },
  );
  return BigInt(row?.parts ?? '0');
}

/** Returns an order's earnings so far: if it has a coupon, and the used amounts of void ones. */
async function earnedSoFar(tx: Tx, earnedBy: string): Promise<{ has: boolean; isAgain: boolean; used: bigint }> {
  const row = await tx.row<{ has: boolean; void: boolean; used: string }>(
    `select coalesce(bool_or(state <> 'void'), false) as has, coalesce(bool_or(state = 'void'), false) as void,
       coalesce(sum(from_pot) filter (where state = 'void'), 0) as used
     from coupon where earned_by = $1`,
    [earnedBy],
  );
  return { has: row?.has ?? false, isAgain: row?.void ?? false, used: BigInt(row?.used ?? '0') };
}

/** Returns the number of waiting coupons for late orders. */
export async function waitingLate(db: Statements): Promise<number> {
  const row = await db.row<{ count: number }>(`select count(*)::int as count from coupon where state = 'waiting'`);
  return row?.count ?? 0;
}

const min = (...sums: readonly bigint[]): bigint => sums.reduce((one, other) => (one < other ? one : other));
