import { Problem, fieldProblem } from '@kurs/contract';
import { type CostLine, type Money, MoneyError, type Rate, assetOf, convert, isUnit, parse, percent } from '@kurs/money';
import { z } from 'zod';
import { currencyOf } from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { amountText, shareText } from '../directions/decimals.ts';

/** Which payments of a currency a cost belongs to. */
export type CostSide = 'payin' | 'payout';

/** What a rail takes of a payment: decimals in the currency's own unit, within min and cap. */
export interface RailCost {
  readonly currency: string;
  readonly side: CostSide;
  readonly percent: string | null;
  readonly fixed: string | null;
  readonly min: string | null;
  readonly cap: string | null;
  readonly version: number;
}

/** A cost line as an operator or the seed file writes it; without any figure it takes nothing. */
export const railCostSchema = z.strictObject({
  currency: z.string(),
  side: z.enum(['payin', 'payout']),
  percent: shareText.nullable().default(null),
  fixed: amountText.nullable().default(null),
  min: amountText.nullable().default(null),
  cap: amountText.nullable().default(null),
});

export type RailCostInput = z.input<typeof railCostSchema>;

/** Reads a cost line. Throws `validation`: on `cost`, and on `currency` or the sum that can't be. */
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

/** Stores a cost line as its next version, and that version in the history; `by` names who did. Throws as `readCostInput`. */
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

/** Adds the default cost lines that are missing; what an operator changed stays. */
export async function seedRailCosts(tx: Tx, seed: unknown): Promise<void> {
  const known = new Set((await readRailCosts(tx)).map(keyOf));
  for (const cost of z.array(railCostSchema).parse(seed)) if (!known.has(keyOf(cost))) await saveRailCost(tx, cost, 'seed');
}

const keyOf = (one: { currency: string; side: string }): string => `${one.currency} ${one.side}`;

/** Every cost line as it stands. */
export function readRailCosts(db: Statements): Promise<RailCost[]> {
  return db.rows<RailCost>('select currency, side, percent, fixed, min, cap, version from rail_cost', [], {
    name: 'pricing.rail_costs',
  });
}

/** The line of a currency's side, where there is one. */
export function railCostOf(costs: readonly RailCost[], currency: string, side: CostSide): RailCost | undefined {
  return costs.find((one) => one.currency === currency && one.side === side);
}

/**
 * A rail's cost as a line of a price breakdown: of a payin as it stands; of a payout a share of what is paid out, its sums turned into
 * the unit given at the rate of the deal, rounded up.
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

/** A rail's cost as a line over sums of one unit, as of a payment that is exchanged for nothing. */
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
