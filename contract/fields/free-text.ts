import { z } from 'zod';

/**
 * Text that one person writes and others read: names, labels, notes, messages, reasons, evidence. It stands beside figures in
 * letters and at the desk, so it must not move or hide the text around it.
 */

/** Matches an emoji sequence (group 1), or an invisible or formatting character. */
const UNSEEN =
  /(\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)*)|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Characters treated as spaces: control characters, and blank ones that no standard calls ignorable (empty braille, fillers,
 * object replacement, private use).
 */
const PARTS = /[\p{Cc}\p{Co}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{1D159}]|\u{16FE4}/gu;
/** Matches more than four combining marks on one letter: no language uses so many, and they would reach into the lines around. */
const MARKS = /(\p{M}{4})\p{M}+/gu;
/** Matches combining marks at the beginning of a text, which would attach to the text before it. */
const LOOSE_MARKS = /^[\p{M}\s]+/u;
const PLAIN = /^[\x20-\x7E]*$/;

const withoutUnseen = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNSEEN, (_whole, emoji: string | undefined) => emoji ?? '')
    .replace(MARKS, '$1');

/** No-break spaces, as used in figures and dates. `oneLine` leaves a single no-break space in place. */
const NO_BREAK_SPACES = new Set(['\u00A0', '\u202F']);

/**
 * Returns a text as one line: line breaks and runs of white space become one space, and invisible characters and marks of the
 * writing direction are removed.
 */
export function oneLine(text: string): string {
  const bare = PLAIN.test(text) ? text : withoutUnseen(text.replace(PARTS, ' ')).replace(LOOSE_MARKS, '');
  return bare.trim().replace(/\s+/g, (space) => (NO_BREAK_SPACES.has(space) ? space : ' '));
}

/** Applies `oneLine` to each line of a text; keeps at most one empty line between two others. */
export function manyLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(oneLine);
  const compact = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '');
  return compact.join('\n').trim();
}

/** Schema of a one-line text, cleaned by `oneLine`. Limits apply to the cleaned text. */
export const line = (): z.ZodString => z.string().overwrite(oneLine);

/** Schema of a text of several lines, cleaned by `manyLines`. */
export const lines = (): z.ZodString => z.string().overwrite(manyLines);

/** Returns the value with every text in it cleaned by `manyLines`. Names of fields are not changed. */
export function readable<T>(shown: T): T {
  if (typeof shown === 'string') return (PLAIN.test(shown) ? shown : manyLines(shown)) as T;
  if (Array.isArray(shown)) return shown.map(readable) as T;
  if (typeof shown !== 'object' || shown === null || shown instanceof Date) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, readable(value)])) as T;
}
