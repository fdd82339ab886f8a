import { Problem, fieldProblem } from '@kurs/contract';
import { type Fraction, type Money, MoneyError, compare, decimal, parse, percent } from '@kurs/money';
import { z } from 'zod';
import { currencyOf } from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { amountText, shareText } from './decimals.ts';
import { type Direction, FEED_CODE, cyclesThatGain, edgeOf, retainedShare } from './direction.ts';
import { settings } from '../settings.ts';
import { compareFractions, smaller } from './share.ts';
import { lockDirections, readCurrencies, readDirections, writeDirection, writeFeedCode } from './store.ts';

/** Format of a direction as an operator or the seed file writes it. */
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
 * Adds or changes a direction; `by` names the author. Throws `validation`:
 * - on `to` if no rail carries a currency, or another direction has the same pair
 * - on `spread` if the fee steps don't begin at 0 and rise, or a step is below the desk's minimum margin
 * - on `costs`, `min` and `max` for amounts that are malformed or contradict each other
 * - on `spread` with `table_gains` if a cycle of open directions would return to a customer at least as much as they began with
 */
export async function saveDirection(tx: Tx, input: DirectionInput, by: string): Promise<void> {
  await saveDirections(tx, [input], by);
}

/** Adds or changes several directions together; cycles are checked once, after all changes. Throws the errors of `saveDirection`. */
export async function saveDirections(tx: Tx, inputs: readonly DirectionInput[], by: string): Promise<void> {
  const changed = inputs.map(readDirection);
  checkTable(tableWith(await lockDirections(tx), changed));
  for (const direction of changed) await writeDirection(tx, direction, by);
}

/**
 * Parses and checks one direction, without comparing it with others. Throws the errors of `saveDirection` that involve no other
 * direction.
 */
export function readDirection(input: DirectionInput): Direction {
  const parsed = directionSchema.safeParse(input);
  if (!parsed.success) throw new Problem('validation', { errors: { direction: { code: 'wrong_value' } }, cause: parsed.error });
  const direction = { ...parsed.data, version: 0 };
  check(direction);
  return direction;
}

/**
 * Returns all directions after some were added or changed. Throws `validation` on `to` if a pair occurs twice, or an existing
 * direction would get another pair.
 */
export function tableWith(before: readonly Direction[], changed: readonly Direction[]): Direction[] {
  const slugs = new Map(changed.map((one) => [one.slug, one]));
  const table = [...before.filter(({ slug }) => !slugs.has(slug)), ...changed];
  const pairs = new Set(table.map(({ from, to }) => `${from} ${to}`));
  const moved = before.some(({ slug, from, to }) => {
    const after = slugs.get(slug);
    return after !== undefined && (after.from !== from || after.to !== to);
  });
  if (moved || pairs.size < table.length) throw fieldProblem('to', 'wrong_value');
  return table;
}

/**
 * Switches a direction on or off. When it is off, every process refuses new orders in it within a second. Throws
 * `direction_unknown`, and `validation` if switching it on lets customers gain by a cycle.
 */
export async function switchDirection(tx: Tx, slug: string, isOn: boolean, by: string): Promise<void> {
  const all = await lockDirections(tx);
  const direction = all.find((one) => one.slug === slug);
  if (!direction) throw new Problem('direction_unknown');
  if (direction.isOn === isOn) return;
  if (isOn) checkTable(all.map((one) => (one.slug === slug ? { ...one, isOn } : one)));
  await writeDirection(tx, { ...direction, isOn }, by);
}

/**
 * Sets the code by which exchange monitors know a currency; null removes the currency from the rates feed. Throws `validation` on
 * `currency` if it doesn't exist, and on `code` if it is malformed or another currency has it.
 */
export async function saveFeedCode(tx: Tx, currency: string, code: string | null): Promise<void> {
  await tx.run('lock table currency in share row exclusive mode');
  const all = await readCurrencies(tx);
  if (!all.some((one) => one.code === currency)) throw fieldProblem('currency', 'currency_unknown');
  const isTaken = code !== null && all.some((one) => one.code !== currency && one.feedCode === code);
  if (isTaken || (code !== null && !FEED_CODE.test(code))) throw fieldProblem('code', 'wrong_value');
  await writeFeedCode(tx, currency, code);
}

function check(direction: Direction): void {
  const unit = currencyOf(direction.from)?.unit;
  if (unit === undefined || !currencyOf(direction.to) || direction.from === direction.to) throw fieldProblem('to', 'wrong_value');
  const read = (field: string, text: string): Money => {
    try {
      return parse(unit, text);
    } catch (error) {
      if (error instanceof MoneyError) throw fieldProblem(field, 'wrong_value');
      throw error;
    }
  };
  const froms = direction.spread.map((step) => read('spread', step.from));
  const rises = froms.every((from, index) =>
    index === 0 ? from.parts === 0n : compare(from, froms[index - 1] as typeof from) > 0,
  );
  const minMargin = percent(settings.get('pricing.min_margin_percent'));
  const enough = direction.spread.every((step) => compareFractions(percent(step.percent), minMargin) >= 0);
  if (!rises || !enough) throw fieldProblem('spread', 'wrong_value');
  for (const { fixed, min, cap } of direction.costs)
    for (const sum of [fixed, min, cap]) if (sum !== undefined) read('costs', sum);
  for (const field of ['min', 'max'] as const) if (direction[field] !== null) read(field, direction[field]);
  if (direction.min !== null && direction.max !== null && compareFractions(decimal(direction.min), decimal(direction.max)) > 0) {
    throw fieldProblem('min', 'wrong_value');
  }
}

/** Throws `validation` if a customer gains by a cycle of open directions. */
function checkTable(directions: readonly Direction[]): void {
  const cycle = gainingCycle(directions);
  if (cycle) throw fieldProblem('spread', 'table_gains', { cycle: cycle.join(' → ') });
}

/**
 * Returns the units on a cycle of open directions by which a customer gains; undefined if there is none. Directions with a
 * currency that no rail carries are left out.
 */
export function gainingCycle(directions: readonly Direction[]): string[] | undefined {
  const minMargin = settings.get('pricing.min_margin_percent');
  return cyclesThatGain(
    directions.filter(({ isOn }) => isOn).flatMap((one) => unitsOf(one).map(([from, to]) => edgeOf(one, from, to, minMargin))),
  );
}

function unitsOf({ from, to }: Direction): [from: string, to: string][] {
  const [give, get] = [currencyOf(from)?.unit, currencyOf(to)?.unit];
  return give !== undefined && get !== undefined ? [[give, get]] : [];
}

/**
 * Switches off all directions on cycles by which a customer gains, and returns their slugs. Runs whenever a process starts: such
 * a cycle may arise when currencies become one unit, or the minimum margin is lowered.
 */
export async function closeGainingCycles(tx: Tx, by: string): Promise<string[]> {
  const table = await lockDirections(tx);
  const closed = new Set<string>();
  for (;;) {
    const cycle = gainingCycle(table.filter(({ slug }) => !closed.has(slug)));
    if (!cycle) break;
    const steps = new Set(cycle.slice(1).map((to, index) => `${cycle[index]} ${to}`));
    for (const one of table) if (unitsOf(one).some(([from, to]) => steps.has(`${from} ${to}`))) closed.add(one.slug);
  }
  const switched = table.filter(({ slug, isOn }) => isOn && closed.has(slug));
  for (const direction of switched) await writeDirection(tx, { ...direction, isOn: false }, by);
  return switched.map(({ slug }) => slug);
}

/**
 * Returns the smallest share of an amount that the desk keeps in any open direction. The tolerated difference between market
 * sources depends on this share.
 */
export async function smallestRetainedShare(db: Statements): Promise<Fraction> {
  const minMargin = settings.get('pricing.min_margin_percent');
  const shares = (await readDirections(db)).filter(({ isOn }) => isOn).map((direction) => retainedShare(direction, minMargin));
  return shares.length === 0 ? percent(minMargin) : shares.reduce(smaller);
}
