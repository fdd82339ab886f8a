// The chart of accounts as SQL: derives an account's type from its name, without matching all patterns of the chart.

import { type AccountTypeRules, accountTypeRules } from './chart.ts';

const quoted = (word: string): string => `'${word}'`;

/**
 * Returns an SQL expression for an account's type. `name`: SQL expression for the account's name. The type consists of the
 * fixed pieces of the account's name. For a name that the chart doesn't know, the resulting type is not in the chart either.
 */
export function accountTypeExpression(name: string): string {
  const piece = (at: number): string => `split_part(${name}, ':', ${at})`;
  const heads = Map.groupBy(accountTypeRules(), ({ shape }) => secondAt(shape));
  const cases = [...heads].flatMap(([at, rules]) => {
    if (at === 0) return [];
    const words = [...new Set(rules.map(({ shape }) => quoted(shape[0] as string)))];
    return [`when ${piece(1)} in (${words.join(', ')}) then concat_ws(':', ${piece(1)}, nullif(${piece(at)}, ''))`];
  });
  return `case ${cases.join(' ')} else ${piece(1)} end`;
}

/**
 * Returns the position of the second fixed piece in the names of a type, counted from 1. Returns 0 if the names have only one.
 */
const secondAt = (shape: readonly string[]): number => shape.findLastIndex((one, at) => at > 0 && !/^[*$]$/.test(one)) + 1;

/**
 * Returns the account types of the chart as an SQL values list: `rules (type, pieces, unit_at, class, floor, ceiling)`.
 * `pieces`: number of pieces in a name; `unit_at`: position of the unit among the pieces, 0 for custody.
 */
export function rulesTable(): string {
  const row = ({ type, shape, class: accountClass, floor, ceiling }: AccountTypeRules): string =>
    `(${[quoted(type), shape.length, shape.indexOf('$') + 1, quoted(accountClass), bound(floor), bound(ceiling)].join(', ')})`;
  return `(values ${accountTypeRules().map(row).join(', ')}) as rules (type, pieces, unit_at, class, floor, ceiling)`;
}

const bound = (parts: bigint | null): string => (parts === null ? 'null::numeric' : `${parts}::numeric`);
