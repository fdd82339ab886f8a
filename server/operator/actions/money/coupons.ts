import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { REWARD_UNIT, format, money, percent, scaleBy, parse } from '@kurs/money';
import { alone } from '../../../collecting/index.ts';
import {
  type Coupon,
  type CouponsWanted,
  MIN_PARTS,
  canonicalCode,
  greatestCost,
  listCoupons,
  makeCoupons,
  peopleForCoupons,
  stopCoupon,
  typedCoupon,
} from '../../../coupons/index.ts';
import { type Db, canonicalEmail } from '../../../platform/index.ts';
import { currentView } from '../../../pricing/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

type New = Input<Routes['operatorCouponNew']>;

/**
 * Makes coupons. Takes one operator, or two if all coupons that this person made within 24 hours can cost more than a limit.
 * Throws `coupon_taken`, `pot_too_small` and `validation`.
 */
export async function newCoupons(db: Db, person: Person, input: New, key?: string): Promise<Acted & { codes: string[] }> {
  const wanted = wantedOf(input);
  requireWindow(wanted, await db.now());
  const { reason, ...request } = input;
  const body = { ...request, ...(wanted.code !== undefined && { code: wanted.code }) };
  return alone(db, async (unit) => {
    const people = await peopleForCoupons(unit.tx, person.name, greatestCost(wanted));
    const subject = wanted.code ?? wanted.kind;
    const codes: string[] = [];
    const action = { action: 'coupon', subject, reason, permission: 'coupons.change', people, body, key } as const;
    const acted = await actAs(unit.tx, person, action, async (by, id) => {
      const { coupons, journals } = await makeCoupons(unit.tx, wanted, { by, action: id });
      codes.push(...coupons.map(({ code }) => code));
      for (const journal of journals) unit.post(journal, 'not_enough_there');
    });
    return { ...acted, codes };
  });
}

/** Stops a coupon: it can't be used any more. Takes one operator. */
export async function stopCouponBy(
  db: Db,
  person: Person,
  { code, reason }: Input<Routes['operatorCouponStop']>,
  key?: string,
): Promise<Acted> {
  return alone(db, async (unit) => {
    const subject = (await typedCoupon(unit.tx, code))?.code;
    if (subject === undefined) throw new Problem('coupon_unknown');
    const action = { action: 'coupon_stop', subject, reason, permission: 'coupons.change', people: 1, body: {}, key } as const;
    return actAs(unit.tx, person, action, async (_by, id) => unit.post(await stopCoupon(unit.tx, subject, id)));
  });
}

function wantedOf(input: New): CouponsWanted {
  const { batch, uses } = input;
  if ((input.percent === undefined) === (input.value === undefined)) throw fieldProblem('percent', 'required');
  if (batch !== undefined && input.code !== undefined) throw fieldProblem('code', 'wrong_value');
  const code = input.code === undefined ? undefined : canonicalCode(input.code);
  if (input.code !== undefined && code === undefined) throw fieldProblem('code', 'wrong_value');
  const known = new Map(currentView().directions.map((one) => [one.slug, one]));
  for (const slug of input.directions ?? []) if (!known.has(slug)) throw new Problem('direction_unknown');
  if (input.per_customer > uses) throw fieldProblem('per_customer', 'above_uses', { max: String(uses) });
  const value = input.value === undefined ? undefined : sumOf('value', input.value);
  const rest = {
    ...{ code, count: batch ?? 1, percent: input.percent, value, uses, perCustomer: input.per_customer },
    startsAt: input.from === undefined ? undefined : new Date(input.from),
    endsAt: input.until === undefined ? undefined : new Date(input.until),
    directions: input.directions,
    min: minOf(input),
    isFirstOnly: input.first_order,
    emailKey: input.email === undefined ? undefined : canonicalEmail(input.email),
  };
  if (value !== undefined) return { ...rest, kind: 'fixed', max: value * BigInt(uses) };
  const max = input.most_usd === undefined ? usualMax(input) : sumOf('most_usd', input.most_usd);
  return { ...rest, kind: 'percent', max };
}

/**
 * Parses the value or the maximum cost of a coupon. Throws `validation` at its field if the sum is below one cent, the smallest
 * sum that is paid.
 */
function sumOf(field: 'value' | 'most_usd', text: string): bigint {
  const parts = partsOf(REWARD_UNIT, text, field);
  if (parts < MIN_PARTS) throw fieldProblem(field, 'amount_below_min', { min: shown(MIN_PARTS), currency: 'USD' });
  return parts;
}

/** Returns the minimum value of an order in minor units; 0 if none is set. */
const minOf = ({ least_usd: min = '0' }: New): bigint => (/^0(?:\.0*)?$/.test(min) ? 0n : partsOf(REWARD_UNIT, min, 'least_usd'));

/** Throws `validation` at `until` if the coupon ends in the past or before it begins: nobody could ever use it. */
function requireWindow({ startsAt, endsAt }: CouponsWanted, now: Date): void {
  if (!endsAt) return;
  if (startsAt && endsAt <= startsAt) throw fieldProblem('until', 'until_before_from');
  if (endsAt <= now) throw fieldProblem('until', 'until_past');
}

const THOUSAND = parse(REWARD_UNIT, '1000');

/**
 * Returns the default maximum cost of a percent coupon: its share of the fee on 1 000 USD in the most expensive of its
 * directions, times its uses.
 */
function usualMax({ percent: share = '0', uses, directions }: New): bigint {
  const among = currentView().directions.filter(({ slug, isOn }) => (directions ? directions.includes(slug) : isOn));
  const fees = among.flatMap(({ spread }) => spread.map((step) => scaleBy(THOUSAND, percent(step.percent), 'up').parts));
  const dearest = fees.reduce((max, one) => (one > max ? one : max), 0n);
  const maximum = scaleBy(money(REWARD_UNIT, dearest), percent(share), 'up').parts * BigInt(uses);
  if (maximum === 0n) throw fieldProblem('most_usd', 'required');
  return maximum;
}

const shown = (parts: bigint): string => format(money(REWARD_UNIT, parts), 2);

/** Returns coupons as the desk sees them. */
export async function couponsView(
  db: Db,
  { state }: Input<Routes['operatorCoupons']>,
): Promise<Output<Routes['operatorCoupons']>> {
  return (await listCoupons(db, state)).map((one: Coupon) => ({
    ...{ code: one.code, kind: one.kind, state: one.state, taken: one.taken },
    ...(one.percent !== undefined && { percent: one.percent }),
    ...(one.value !== undefined && { value: shown(one.value) }),
    ...(one.uses !== undefined && { uses: one.uses }),
    ...{ left: shown(one.budget - one.held), held: shown(one.held), max: shown(one.max) },
    ...(one.endsAt && { until: one.endsAt.toISOString() }),
    ...{ made_by: [...one.madeBy], made_at: one.madeAt.toISOString() },
  }));
}
