// Which change of a setting lets more money out, trusts less proof or screens less: that one takes two people.

import { isDeepStrictEqual } from 'node:util';

/**
 * How a setting is loosened, and so what takes two people; every other change takes one.
 *
 * - `up`, `down`: by a figure in it that gets larger, or smaller. No figure (null) is no limit
 * - a record: by its fields' names, each of them up or down
 * - `any`: by each change · `none`: by none
 * - a function of the values before and after
 *
 * Where figures can't be compared (one more, one less, other words) a change counts as loosening.
 */
export type Looser =
  | 'up'
  | 'down'
  | 'any'
  | 'none'
  | Readonly<Record<string, 'up' | 'down'>>
  | ((before: never, after: never) => boolean);

/** Whether a change loosens a setting. */
export function isLooser(looser: Looser, before: unknown, after: unknown): boolean {
  if (typeof looser === 'function') return looser(before as never, after as never);
  if (looser === 'none' || isDeepStrictEqual(before, after)) return false;
  return looser === 'any' || goes(looser, before, after, '');
}

/** A list of what is guarded against: without one of them more passes. */
export const fewer = (before: readonly string[], after: readonly string[]): boolean => before.some((one) => !after.includes(one));

/** A switch that lets something pass: to put it on. */
export const on = (before: boolean, after: boolean): boolean => after && !before;

function goes(
  looser: 'up' | 'down' | Readonly<Record<string, 'up' | 'down'>>,
  before: unknown,
  after: unknown,
  name: string,
): boolean {
  if (isDeepStrictEqual(before, after)) return false;
  const parts = pairs(before, after);
  if (parts) return parts.some(([key, was, is]) => goes(looser, was, is, Array.isArray(before) ? name : key));
  const [was, is] = [figureOf(before), figureOf(after)];
  const way = typeof looser === 'string' ? looser : looser[name];
  if (was === undefined || is === undefined || way === undefined) return true;
  return way === 'up' ? is > was : is < was;
}

/** The parts of two values of the same shape, side by side; undefined where they have none, or other ones. */
function pairs(before: unknown, after: unknown): [string, unknown, unknown][] | undefined {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return undefined;
  const isSame = Array.isArray(before) === Array.isArray(after);
  if (!isSame || !isDeepStrictEqual(Object.keys(before).sort(), Object.keys(after).sort())) return undefined;
  return Object.entries(before).map(([key, value]) => [key, value, (after as Record<string, unknown>)[key]]);
}

const DIGITS = 18;
const NO_LIMIT = 10n ** 60n;

/** A decimal as a comparable integer; undefined for anything else. */
function figureOf(value: unknown): bigint | undefined {
  if (value === null) return NO_LIMIT;
  const text = typeof value === 'number' ? String(value) : value;
  const [, whole = '', part = ''] = (typeof text === 'string' && /^([0-9]{1,30})(?:\.([0-9]{1,18}))?$/.exec(text)) || [];
  return whole === '' ? undefined : BigInt(whole + part.padEnd(DIGITS, '0'));
}
