// The chart of accounts as SQL: derives the account type from an account's name without matching every pattern.

import { type AccountTypeRules, accountTypeRules } from './chart.ts';

const quoted = (word: string): string => `'${word}'`;

/**
 * Returns an SQL expression: the account type of the column `name`, made of the literal pieces of its value. The result may be a
 * type that the chart doesn't have.
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

/** Position of the second literal piece in a name, counted from 1; 0 if the name has none. */
const secondAt = (shape: readonly string[]): number => shape.findLastIndex((one, at) => at > 0 && !/^[*$]$/.test(one)) + 1;

/**
 * Returns the chart's rules as an SQL values list: `rules (type, pieces, unit_at, class, floor, ceiling)`. `unit_at` is 0 for
 * custody.
 */
export function rulesTable(): string {
  const row = ({ type, shape, class: accountClass, floor, ceiling }: AccountTypeRules): string =>
    `(${[quoted(type), shape.length, shape.indexOf('$') + 1, quoted(accountClass), bound(floor), bound(ceiling)].join(', ')})`;
  return `(values ${accountTypeRules().map(row).join(', ')}) as rules (type, pieces, unit_at, class, floor, ceiling)`;
}

const bound = (parts: bigint | null): string => (parts === null ? 'null::numeric' : `${parts}::numeric`);
