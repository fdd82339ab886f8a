import { Problem } from '@kurs/contract';
import { type Journal, balances } from '../ledger/index.ts';
import { type Statements, type Tx, isDuplicate, newId } from '../platform/index.ts';
import { lateReserve, lockPot, potAccount } from '../pots/index.ts';
import { type Coupon, funded, newCode } from './coupon.ts';
import { addCoupons, findCoupon } from './coupon-store.ts';
import { twoPeopleAbove } from './settings.ts';

/** A request of people for coupons. Amounts are minor units of the unit of rewards. */
export interface CouponsWanted {
  readonly kind: 'percent' | 'fixed';
  /** Absent: a random code each. */
  readonly code: string | undefined;
  readonly count: number;
  readonly percent: string | undefined;
  readonly value: bigint | undefined;
  readonly uses: number;
  readonly perCustomer: number;
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
  readonly directions: readonly string[] | undefined;
  readonly min: bigint;
  readonly isFirstOnly: boolean;
  readonly emailKey: string | undefined;
  /** Returns the maximum cost of one coupon. */
  readonly max: bigint;
}

/** Returns the maximum cost of all these coupons. */
export const greatestCost = ({ max, count }: Pick<CouponsWanted, 'max' | 'count'>): bigint => max * BigInt(count);

/**
 * Returns the number of people who must make them, by the maximum cost of all coupons of a person within 24 hours. Locks that
 * person's sum until the transaction ends.
 */
export async function peopleForCoupons(tx: Tx, name: string, cost: bigint): Promise<1 | 2> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('coupons.made'), hashtext($1))`, [name]);
  const row = await tx.row<{ max: string }>(
    `select coalesce(sum(max), 0) as max from coupon where made_by[1] = $1 and kind in ('percent', 'fixed')
     and made_at > $2::timestamptz - interval '24 hours'`,
    [name, tx.now],
  );
  return BigInt(row?.max ?? '0') + cost > twoPeopleAbove() ? 2 : 1;
}

/**
 * Makes coupons by an action of the desk. Returns them with the journals of the money set aside for fixed ones. Throws
 * `coupon_taken` for an existing code, and `pot_too_small` if the pot of late coupons would have less than its reserved amount.
 */
export async function makeCoupons(
  tx: Tx,
  wanted: CouponsWanted,
  { by, action }: { readonly by: readonly string[]; readonly action: string },
): Promise<{ readonly coupons: Coupon[]; readonly journals: Journal[] }> {
  if (wanted.kind === 'fixed') await requireInPot(tx, greatestCost(wanted));
  const { count, ...each } = wanted;
  const coupons = Array.from({ length: count }, () => couponOf(each, { madeBy: by, action, madeAt: tx.now }));
  if (wanted.code !== undefined && (await findCoupon(tx, wanted.code))) throw new Problem('coupon_taken');
  await addCoupons(tx, coupons).catch((error: unknown) => {
    throw isDuplicate(error, 'coupon_code_key') ? new Problem('coupon_taken') : error;
  });
  const journals = coupons.flatMap((one) => (one.fromPot > 0n ? [funded(newId(), one, one.fromPot)] : []));
  return { coupons, journals };
}

function couponOf(
  { code = newCode(), ...wanted }: Omit<CouponsWanted, 'count'>,
  made: Pick<Coupon, 'madeBy' | 'madeAt' | 'action'>,
): Coupon {
  const state = { state: 'live', taken: 0, budget: wanted.max, held: 0n } as const;
  const fromPot = wanted.kind === 'fixed' ? wanted.max : 0n;
  const late = { earnedBy: undefined, earnedKeys: undefined, givenAt: undefined };
  return { ...wanted, ...state, ...made, ...late, id: newId(), code, fromPot, holderId: undefined, isOff: false };
}

/** Returns the coupons of one action of the desk, from the action's content. */
export interface MadeByAct {
  readonly action: string | null;
  readonly ids: readonly string[];
  /** Returns each of these once for every kind of coupon among them. */
  readonly kinds: readonly Pick<Coupon, 'percent' | 'value' | 'uses' | 'perCustomer'>[];
}

/** Returns coupons made by people, by their action. `isOpen`: those of actions with a live coupon. */
export async function couponsByAct(db: Statements, { isOpen }: { readonly isOpen: boolean }): Promise<MadeByAct[]> {
  const some = `and (made_action is null or made_action in (select made_action from coupon where state = 'live' and kind in ('percent', 'fixed')))`;
  const rows = await db.rows<Omit<MadeByAct, 'kinds'> & { kinds: KindRow[] }>(
    `select made_action as action, array_agg(id::text) as ids, jsonb_agg(distinct jsonb_build_object('percent', percent,
       'value', value::text, 'uses', uses, 'perCustomer', per_customer)) as kinds
     from coupon where kind in ('percent', 'fixed') ${isOpen ? some : ''} group by made_action`,
  );
  return rows.map(({ kinds, ...row }) => ({
    ...row,
    kinds: kinds.map(({ percent, value, uses, perCustomer }) => ({
      ...{ percent: percent ?? undefined, value: value === null ? undefined : BigInt(value) },
      ...{ uses: uses ?? undefined, perCustomer },
    })),
  }));
}

interface KindRow {
  readonly percent: string | null;
  readonly value: string | null;
  readonly uses: number | null;
  readonly perCustomer: number;
}

/** Fixed coupons never take the amount reserved for coupons of late orders. */
async function requireInPot(tx: Tx, parts: bigint): Promise<void> {
  await lockPot(tx, 'late');
  const [left = 0n] = await balances(tx, [potAccount('late')]);
  if (left - parts < lateReserve()) throw new Problem('pot_too_small');
}
