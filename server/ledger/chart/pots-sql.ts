// The chart as SQL: which pot an account's name belongs to, told without asking each pattern of each name.

import { type PotRules, potRules } from './chart.ts';

const quoted = (word: string): string => `'${word}'`;

/** An expression: the pot that `name` (a column) is of by its literal pieces. What it gives may be no pot of the chart. */
export function potExpression(name: string): string {
  const piece = (at: number): string => `split_part(${name}, ':', ${at})`;
  const heads = Map.groupBy(potRules(), ({ shape }) => secondAt(shape));
  const cases = [...heads].flatMap(([at, rules]) => {
    if (at === 0) return [];
    const words = [...new Set(rules.map(({ shape }) => quoted(shape[0] as string)))];
    return [`when ${piece(1)} in (${words.join(', ')}) then concat_ws(':', ${piece(1)}, nullif(${piece(at)}, ''))`];
  });
  return `case ${cases.join(' ')} else ${piece(1)} end`;
}

/** Where the second literal piece of a name stands, counted from 1; 0 where it has none. */
const secondAt = (shape: readonly string[]): number => shape.findLastIndex((one, at) => at > 0 && !/^[*$]$/.test(one)) + 1;

/** The chart's rules as rows: `rules (pot, pieces, unit_at, class, floor, ceiling)`; `unit_at` is 0 for custody. */
export function rulesTable(): string {
  const row = ({ pot, shape, class: accountClass, floor, ceiling }: PotRules): string =>
    `(${[quoted(pot), shape.length, shape.indexOf('$') + 1, quoted(accountClass), bound(floor), bound(ceiling)].join(', ')})`;
  return `(values ${potRules().map(row).join(', ')}) as rules (pot, pieces, unit_at, class, floor, ceiling)`;
}

const bound = (parts: bigint | null): string => (parts === null ? 'null::numeric' : `${parts}::numeric`);
