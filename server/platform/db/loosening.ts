// Decides which changes loosen a setting. A loosened setting lets more money out, trusts less proof or screens less. Changes
// that loosen take two people.

import { isDeepStrictEqual } from 'node:util';

/**
 * Defines which changes loosen a setting and so take two people. Every other change takes one person.
 *
 * - `up`, `down`: the change loosens if a number in the value grows (`up`) or shrinks (`down`); null means no limit
 * - a record: `up` or `down` for each named field
 * - `any`, `none`: every change loosens, or no change does
 * - a function: returns true if the change from `before` to `after` loosens
 *
 * A change also loosens if the numbers before and after can't be paired, because fields, number of items or texts differ.
 */
export type Looser =
  | 'up'
  | 'down'
  | 'any'
  | 'none'
  | Readonly<Record<string, 'up' | 'down'>>
  | ((before: never, after: never) => boolean);

/** Returns true if a change loosens a setting. */
export function isLooser(looser: Looser, before: unknown, after: unknown): boolean {
  if (typeof looser === 'function') return looser(before as never, after as never);
  if (looser === 'none' || isDeepStrictEqual(before, after)) return false;
  return looser === 'any' || goes(looser, before, after, '');
}

/** Returns true if an item was removed. A `Looser` for lists of protections. */
export const fewer = (before: readonly string[], after: readonly string[]): boolean => before.some((one) => !after.includes(one));

/** Returns true if a switch was turned on. A `Looser` for switches that permit more. */
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

/**
 * Returns the fields or items of two values in pairs. Undefined if a value has no fields or items, or if the values have
 * different ones.
 */
function pairs(before: unknown, after: unknown): [string, unknown, unknown][] | undefined {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return undefined;
  const isSame = Array.isArray(before) === Array.isArray(after);
  if (!isSame || !isDeepStrictEqual(Object.keys(before).sort(), Object.keys(after).sort())) return undefined;
  return Object.entries(before).map(([key, value]) => [key, value, (after as Record<string, unknown>)[key]]);
}

const DIGITS = 18;
const NO_LIMIT = 10n ** 60n;

/** Returns a decimal as a comparable integer; undefined for anything else. */
function figureOf(value: unknown): bigint | undefined {
  if (value === null) return NO_LIMIT;
  const text = typeof value === 'number' ? String(value) : value;
  const [, whole = '', part = ''] = (typeof text === 'string' && /^([0-9]{1,30})(?:\.([0-9]{1,18}))?$/.exec(text)) || [];
  return whole === '' ? undefined : BigInt(whole + part.padEnd(DIGITS, '0'));
}
