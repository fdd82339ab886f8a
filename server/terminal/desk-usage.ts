// How commands of the desk tool are written, in words for people: lists of them, and one by its name.

import { wrap } from './desk-print.ts';

/** A command as it is typed, and its description. */
export type Usage = readonly [typed: string, does: string];
export type UsageGroup = readonly [title: string, usages: readonly Usage[]];

const WIDTH = 100;
/** Where the words begin: a command that is longer stands on a line of its own. */
const INDENT = 34;

/** Commands in groups, within a hundred columns. */
export function usageList(groups: readonly UsageGroup[]): string {
  return groups.map(([title, usages]) => [title, ...usages.map(usageLines)].join('\n')).join('\n\n');
}

function usageLines([typed, does]: Usage): string {
  const words = wrap(does, WIDTH - INDENT);
  const isShort = typed.length <= INDENT - 4;
  const first = isShort
    ? `  ${typed.padEnd(INDENT - 2)}${words[0] ?? ''}`.trimEnd()
    : wrap(typed, WIDTH - 4)
        .join('\n    ')
        .replace(/^/, '  ');
  return [first, ...(isShort ? words.slice(1) : words).map((line) => ' '.repeat(INDENT) + line)].join('\n');
}

/** The lines of one command, as errors and `help COMMAND` show it; undefined for none. */
export function usageOf(groups: readonly UsageGroup[], command: string): string | undefined {
  const own = usagesOf(groups, command);
  return own.length === 0 ? undefined : own.map(usageLines).join('\n');
}

const usagesOf = (groups: readonly UsageGroup[], command: string): readonly Usage[] =>
  groups.flatMap(([, usages]) => usages).filter(([typed]) => typed.split(' ')[0] === command);

/** How many words a command takes beside its options at most, by how it is written; undefined for no command. */
export function mostWords(groups: readonly UsageGroup[], command: string): number | undefined {
  const counts = usagesOf(groups, command).map(([typed]) => {
    const [, ...own] = (typed.split(/[|[]?--/, 1)[0] ?? '').trim().split(' ');
    // `KX-…` is a number that is cut short, `PERMISSION=on|off…` any number of them.
    return own.some((word) => /[^-]…$/.test(word)) ? Infinity : own.length;
  });
  return counts.length === 0 ? undefined : Math.max(...counts);
}
