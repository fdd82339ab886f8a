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

/** Matches a fixed word of a usage, or several of which one is typed. */
const FIXED = /^[a-z_-]+(?:\|[a-z_-]+)*$/;

/**
 * Returns the maximum number of words that a command takes apart from its options, by those of its usages that have the typed
 * fixed words, or else by all; undefined for an unknown command.
 */
export function maxWords(groups: readonly UsageGroup[], command: string, words: readonly string[]): number | undefined {
  const usages = usagesOf(groups, command).map(([typed]) => {
    const [, ...own] = (typed.split(/[|[]?--/, 1)[0] ?? '').trim().split(' ');
    return own;
  });
  if (usages.length === 0) return undefined;
  const fitting = usages.filter((own) => own.every((word, at) => !FIXED.test(word) || word.split('|').includes(words[at] ?? '')));
  // `KX-…` stands for one word, `PERMISSION=on|off…` for any number of them.
  const counts = (fitting.length > 0 ? fitting : usages).map((own) =>
    own.some((word) => /[^-]…$/.test(word)) ? Infinity : own.length,
  );
  return Math.max(...counts);
}
