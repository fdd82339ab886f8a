// Compares coupons with the audit. Each percent or fixed coupon must have the action that made it, and each such action must have
// its coupons.

import { REWARD_UNIT, parse } from '@kurs/money';
import { type MadeByAct, couponsByAct } from '../coupons/index.ts';
import { type Fault, accuse } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { type Action, isAsRecorded } from './people/audit-seal.ts';

/** Terms of the coupons that an action made, as stored in the audit. */
interface WantedCoupon {
  readonly percent?: string;
  readonly value?: string;
  readonly uses: number;
  readonly per_customer: number;
  readonly batch?: number;
}

/**
 * Returns a fault for each coupon that no action made with these terms, and for each action whose coupons are missing. With
 * `isOpen`, checks only coupons that can still be used.
 */
export async function couponActFaults(db: Statements, { isOpen }: { readonly isOpen: boolean }): Promise<Fault[]> {
  const made = await couponsByAct(db, { isOpen });
  const actions = await actionsOf(db, isOpen ? made.flatMap(({ action }) => action ?? []) : undefined);
  const strange = made.filter((one) => !isOf(one, actions.get(one.action ?? '')));
  const known = new Set(made.map(({ action }) => action));
  const gone = isOpen ? [] : [...actions.keys()].filter((id) => !known.has(id));
  return [
    ...accuse(
      'coupon',
      strange.flatMap(({ ids }) => ids),
      'no action of the desk made this coupon so',
    ),
    ...accuse('coupon', gone, 'the coupons that this action of the desk made are not there'),
  ];
}

async function actionsOf(db: Statements, ids: readonly string[] | undefined): Promise<Map<string, Action>> {
  const rows = await db.rows<Action & { mac: string | null }>(
    `select id, at, by, action, subject, reason, outcome, body, mac from audit
     where action = 'coupon' and outcome = 'done' and ($1::uuid[] is null or id = any ($1))`,
    [ids ?? null],
  );
  return new Map(rows.filter(isAsRecorded).map((row) => [row.id, row]));
}

function isOf({ ids, kinds }: MadeByAct, action: Action | undefined): boolean {
  if (!action) return false;
  const { percent, value, uses, per_customer: perCustomer, batch = 1 } = action.body as WantedCoupon;
  const [kind, ...others] = kinds;
  if (!kind || others.length > 0 || ids.length !== batch) return false;
  const sum = value === undefined ? undefined : parse(REWARD_UNIT, value).parts;
  return kind.percent === percent && kind.value === sum && kind.uses === uses && kind.perCustomer === perCustomer;
}
