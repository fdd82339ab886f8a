// Usage of commands: lists of them, and a single one by its name.

import { wrap } from './desk-print.ts';

/** A command as typed, and its description. */
export type Usage = readonly [typed: string, does: string];
export type UsageGroup = readonly [title: string, usages: readonly Usage[]];

const WIDTH = 100;
/** Column where descriptions begin. A longer command has a line of its own. */
const INDENT = 34;

/** Returns groups of commands as text, at most 100 columns wide. */
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

/** Returns the usage of one command for errors and `help COMMAND`; undefined for an unknown one. */
export function usageOf(groups: readonly UsageGroup[], command: string): string | undefined {
  const own = usagesOf(groups, command);
  return own.length === 0 ? undefined : own.map(usageLines).join('\n');
}

const usagesOf = (groups: readonly UsageGroup[], command: string): readonly Usage[] =>
  groups.flatMap(([, usages]) => usages).filter(([typed]) => typed.split(' ')[0] === command);

/**
 * Returns the maximum number of words that a command takes apart from its options, by its usage; undefined for an unknown one.
 */
export function maxWords(groups: readonly UsageGroup[], command: string): number | undefined {
  const counts = usagesOf(groups, command).map(([typed]) => {
    const [, ...own] = (typed.split(/[|[]?--/, 1)[0] ?? '').trim().split(' ');
    // `KX-…` stands for one word, `PERMISSION=on|off…` for any number of them.
    return own.some((word) => /[^-]…$/.test(word)) ? Infinity : own.length;
  });
  return counts.length === 0 ? undefined : Math.max(...counts);
}
