import { Problem, fieldProblem } from '@kurs/contract';
import { type CostLine, type Money, MoneyError, type Rate, assetOf, convert, isUnit, parse, percent } from '@kurs/money';
import { z } from 'zod';
import { currencyOf } from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { amountText, shareText } from '../directions/decimals.ts';

/** Payments that a cost applies to: those that arrive in a currency, or those that leave. */
export type CostSide = 'payin' | 'payout';

/**
 * A rail's charge for a payment. `percent`: percentage of the payment. `fixed`: a fixed sum. `min` and `cap`: bounds of the
 * charge. Sums are decimals in the currency's own unit.
 */
export interface RailCost {
  readonly currency: string;
  readonly side: CostSide;
  readonly percent: string | null;
  readonly fixed: string | null;
  readonly min: string | null;
  readonly cap: string | null;
  readonly version: number;
}

/** Format of a cost line as an operator or the seed file writes it. A line without any number charges nothing. */
export const railCostSchema = z.strictObject({
  currency: z.string(),
  side: z.enum(['payin', 'payout']),
  percent: shareText.nullable().default(null),
  fixed: amountText.nullable().default(null),
  min: amountText.nullable().default(null),
  cap: amountText.nullable().default(null),
});

export type RailCostInput = z.input<typeof railCostSchema>;

/** Parses a cost line. Throws `validation` on `cost`, on `currency`, or on the field of a wrong amount. */
export function readCostInput(input: RailCostInput): Omit<RailCost, 'version'> {
  const parsed = railCostSchema.safeParse(input);
  if (!parsed.success) throw new Problem('validation', { errors: { cost: { code: 'wrong_value' } }, cause: parsed.error });
  const cost = parsed.data;
  const unit = currencyOf(cost.currency)?.unit ?? (isUnit(cost.currency) ? cost.currency : undefined);
  if (unit === undefined) throw fieldProblem('currency', 'wrong_value');
  for (const field of ['fixed', 'min', 'cap'] as const) {
    try {
      if (cost[field] !== null) parse(unit, cost[field]);
    } catch (error) {
      if (error instanceof MoneyError) throw fieldProblem(field, 'wrong_value');
      throw error;
    }
  }
  return cost;
}

/**
 * Stores the next version of a cost line, and adds it to the line's history; `by` names the author. Throws the errors of
 * `readCostInput`.
 */
export async function saveRailCost(tx: Tx, input: RailCostInput, by: string): Promise<void> {
  const cost = readCostInput(input);
  const row = await tx.row<{ version: number }>(
    `insert into rail_cost (currency, side, percent, fixed, min, cap, version, by, at)
     values ($1, $2, $3, $4, $5, $6, 1, $7, $8)
     on conflict (currency, side) do update set percent = excluded.percent, fixed = excluded.fixed,
       min = excluded.min, cap = excluded.cap, version = rail_cost.version + 1, by = excluded.by, at = excluded.at
     returning version`,
    [cost.currency, cost.side, cost.percent, cost.fixed, cost.min, cost.cap, by, tx.now],
  );
  await tx.run(`insert into rail_cost_history (currency, side, version, body, by, at) values ($1, $2, $3, $4::jsonb, $5, $6)`, [
    cost.currency,
    cost.side,
    row?.version,
    JSON.stringify(cost),
    by,
    tx.now,
  ]);
}

/** Adds the default cost lines that are missing; lines that an operator changed stay. */
export async function seedRailCosts(tx: Tx, seed: unknown): Promise<void> {
  const known = new Set((await readRailCosts(tx)).map(keyOf));
  for (const cost of z.array(railCostSchema).parse(seed)) if (!known.has(keyOf(cost))) await saveRailCost(tx, cost, 'seed');
}

const keyOf = (one: { currency: string; side: string }): string => `${one.currency} ${one.side}`;

/** Returns every current cost line. */
export function readRailCosts(db: Statements): Promise<RailCost[]> {
  return db.rows<RailCost>('select currency, side, percent, fixed, min, cap, version from rail_cost', [], {
    name: 'pricing.rail_costs',
  });
}

/** Returns the cost line for a currency's pay-ins or payouts; undefined if there is none. */
export function railCostOf(costs: readonly RailCost[], currency: string, side: CostSide): RailCost | undefined {
  return costs.find((one) => one.currency === currency && one.side === side);
}

/**
 * Returns a rail's cost as a line of a price breakdown. `give`: the unit given. The sums of a payin's line are in this unit
 * already. A payout's percentage applies to the amount paid out, and its sums are converted to the unit given at the deal's rate,
 * rounded up.
 */
export function costLineOf(cost: RailCost, give: string, deal: { readonly getUnit: string; readonly rate: Rate }): CostLine {
  const isPayin = cost.side === 'payin';
  const unit = isPayin ? give : deal.getUnit;
  const sum = (text: string): Money => {
    const own = parse(unit, text);
    return isPayin ? own : convert(own, assetOf(deal.getUnit), deal.rate, give, 'up');
  };
  return {
    code: cost.side,
    ...(!isPayin && { of: 'got' as const }),
    ...figuresOf(cost, sum),
  };
}

/** Returns a rail's cost as a line in the currency's own unit, for a payment that is not exchanged. */
export const ownLineOf = (cost: RailCost, unit: string): CostLine => ({
  code: cost.side,
  ...figuresOf(cost, (text) => parse(unit, text)),
});

function figuresOf(cost: RailCost, sum: (text: string) => Money): Omit<CostLine, 'code' | 'of'> {
  return {
    ...(cost.percent !== null && { percent: percent(cost.percent) }),
    ...(cost.fixed !== null && { fixed: sum(cost.fixed) }),
    ...(cost.min !== null && { min: sum(cost.min) }),
    ...(cost.cap !== null && { cap: sum(cost.cap) }),
  };
}
