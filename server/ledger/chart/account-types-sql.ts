// The chart as SQL: which account type an account's name belongs to, told without asking each pattern of each name.

import { type AccountTypeRules, accountTypeRules } from './chart.ts';

const quoted = (word: string): string => `'${word}'`;

/** An expression: the account type that `name` (a column) is of by its literal pieces. What it gives may be no account type of the chart. */
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

/** Where the second literal piece of a name stands, counted from 1; 0 where it has none. */
const secondAt = (shape: readonly string[]): number => shape.findLastIndex((one, at) => at > 0 && !/^[*$]$/.test(one)) + 1;

/** The chart's rules as rows: `rules (type, pieces, unit_at, class, floor, ceiling)`; `unit_at` is 0 for custody. */
export function rulesTable(): string {
  const row = ({ type, shape, class: accountClass, floor, ceiling }: AccountTypeRules): string =>
    `(${[quoted(type), shape.length, shape.indexOf('$') + 1, quoted(accountClass), bound(floor), bound(ceiling)].join(', ')})`;
  return `(values ${accountTypeRules().map(row).join(', ')}) as rules (type, pieces, unit_at, class, floor, ceiling)`;
}

const bound = (parts: bigint | null): string => (parts === null ? 'null::numeric' : `${parts}::numeric`);
