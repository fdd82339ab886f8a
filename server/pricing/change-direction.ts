import { Problem, fieldProblem } from '@kurs/contract';
import { compare, decimal, parse, percent } from '@kurs/money';
import { z } from 'zod';
import { currencyOf } from '../payments/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import type { Fraction } from '@kurs/money';
import { amountText, shareText } from './decimals.ts';
import { type Direction, cyclesThatGain, edgeOf, keptShare } from './direction.ts';
import { settings } from './settings.ts';
import { compareFractions, smaller } from './share.ts';
import { lockDirections, readDirections, writeDirection } from './store.ts';

/** A direction as an operator or the seed file writes it. */
export const directionSchema = z.strictObject({
  slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  from: z.string(),
  to: z.string(),
  spread: z
    .array(z.strictObject({ from: amountText, percent: shareText }))
    .min(1)
    .max(20),
  costs: z
    .array(
      z.strictObject({
        code: z.string().regex(/^[a-z_]{1,20}$/),
        percent: shareText.optional(),
        fixed: amountText.optional(),
        min: amountText.optional(),
        cap: amountText.optional(),
      }),
    )
    .max(10)
    .default([]),
  min: amountText.nullable().default(null),
  max: amountText.nullable().default(null),
  isOn: z.boolean(),
  position: z.int().min(0).max(10_000),
});

export type DirectionInput = z.input<typeof directionSchema>;

/**
 * Adds or changes a direction; `by` names who did. Throws `validation`: on `to` where no rail carries a currency, on
 * `spread` for steps that don't rise from 0 or that keep less than the desk must (B1), on `min` and `max`, and on
 * `spread` with `table_gains` where some cycle of directions that are on would give a customer back what he began with.
 */
export async function saveDirection(tx: Tx, input: DirectionInput, by: string): Promise<void> {
  await saveDirections(tx, [input], by);
}

/** Adds or changes some directions at once: the table is looked at as it will be after all of them. Throws as `saveDirection`. */
export async function saveDirections(tx: Tx, inputs: readonly DirectionInput[], by: string): Promise<void> {
  const changed = inputs.map(readDirection);
  for (const direction of changed) check(direction);
  const slugs = new Set(changed.map(({ slug }) => slug));
  const table = [...(await lockDirections(tx)).filter(({ slug }) => !slugs.has(slug)), ...changed];
  const pairs = new Set(table.map(({ from, to }) => `${from} ${to}`));
  if (pairs.size < table.length) throw fieldProblem('to', 'wrong_value');
  checkTable(table);
  for (const direction of changed) await writeDirection(tx, direction, by);
}

function readDirection(input: DirectionInput): Direction {
  const parsed = directionSchema.safeParse(input);
  if (!parsed.success) throw new Problem('validation', { errors: { direction: { code: 'wrong_value' } }, cause: parsed.error });
  return { ...parsed.data, version: 0 };
}

/** Switches a direction on or off; within a second no process takes new orders in it. Throws `direction_unknown`. */
export async function switchDirection(tx: Tx, slug: string, isOn: boolean, by: string): Promise<void> {
  const all = await lockDirections(tx);
  const direction = all.find((one) => one.slug === slug);
  if (!direction) throw new Problem('direction_unknown');
  if (direction.isOn === isOn) return;
  if (isOn) checkTable(all.map((one) => (one.slug === slug ? { ...one, isOn } : one)));
  await writeDirection(tx, { ...direction, isOn }, by);
}

function check(direction: Direction): void {
  const unit = currencyOf(direction.from)?.unit;
  if (unit === undefined || !currencyOf(direction.to) || direction.from === direction.to) throw fieldProblem('to', 'wrong_value');
  const froms = direction.spread.map((step) => parse(unit, step.from));
  const rises = froms.every((from, index) =>
    index === 0 ? from.parts === 0n : compare(from, froms[index - 1] as typeof from) > 0,
  );
  const keep = percent(settings.get('pricing.keep_percent'));
  const enough = direction.spread.every((step) => compareFractions(percent(step.percent), keep) >= 0);
  if (!rises || !enough) throw fieldProblem('spread', 'wrong_value');
  for (const line of direction.costs) for (const sum of [line.fixed, line.min, line.cap]) if (sum !== undefined) parse(unit, sum);
  if (direction.min !== null && direction.max !== null && compareFractions(decimal(direction.min), decimal(direction.max)) > 0) {
    throw fieldProblem('min', 'wrong_value');
  }
}

/** The guard of B4: no table goes live in which a cycle gains. A currency without a rail can't be dealt in and is left out. */
function checkTable(directions: readonly Direction[]): void {
  const keep = settings.get('pricing.keep_percent');
  const edges = directions
    .filter(({ isOn }) => isOn)
    .flatMap((one) => {
      const [from, to] = [currencyOf(one.from)?.unit, currencyOf(one.to)?.unit];
      return from !== undefined && to !== undefined ? [edgeOf(one, from, to, keep)] : [];
    });
  const cycle = cyclesThatGain(edges);
  if (cycle) throw fieldProblem('spread', 'table_gains', { cycle: cycle.join(' → ') });
}

/** The smallest share that the desk keeps in any direction that is on: what sources may differ by depends on it (B4). */
export async function smallestKeptShare(db: Statements): Promise<Fraction> {
  const keep = settings.get('pricing.keep_percent');
  const kept = (await readDirections(db)).filter(({ isOn }) => isOn).map((direction) => keptShare(direction, keep));
  return kept.length === 0 ? percent(keep) : kept.reduce(smaller);
}
