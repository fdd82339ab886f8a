import { z } from 'zod';

/**
 * Text that somebody wrote and others are shown: names, labels, notes, messages, reasons, evidence. It stands beside figures in
 * letters and at the desk, so nothing in it may move or hide what stands around it.
 */

/** An emoji with what makes one of several, or a character that nobody sees or that orders others about. */
const UNSEEN =
  /(\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)*)|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * What parts words: control characters, and those without a look of their own that no standard calls ignorable: empty braille,
 * a note and a letter that only fill, the place of an object, private ones.
 */
const PARTS = /[\p{Cc}\p{Co}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{1D159}]|\u{16FE4}/gu;
/** More marks on one letter than any language writes reach into the lines around it. */
const MARKS = /(\p{M}{4})\p{M}+/gu;
/** Marks without a letter of the text's own stand on what is before it. */
const LOOSE_MARKS = /^[\p{M}\s]+/u;
const PLAIN = /^[\x20-\x7E]*$/;

const withoutUnseen = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNSEEN, (_whole, emoji: string | undefined) => emoji ?? '')
    .replace(MARKS, '$1');

/** Spaces at which no line breaks, as they stand in figures and dates: alone, they stay. */
const KEPT = new Set(['\u00A0', '\u202F']);

/**
 * A text as one line: line breaks and runs of white space are one space, what nobody sees and what turns text round is left
 * out.
 */
export function oneLine(text: string): string {
  const bare = PLAIN.test(text) ? text : withoutUnseen(text.replace(PARTS, ' ')).replace(LOOSE_MARKS, '');
  return bare.trim().replace(/\s+/g, (space) => (KEPT.has(space) ? space : ' '));
}

/** Like `oneLine` for each line of a text; keeps at most one empty line between two others. */
export function manyLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(oneLine);
  const kept = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '');
  return kept.join('\n').trim();
}

/** A field of one line that others are shown, as `oneLine` leaves it; bounds that are stated on it are of what is left. */
export const line = (): z.ZodString => z.string().overwrite(oneLine);

/** A field of many lines that others are shown, as `manyLines` leaves it. */
export const lines = (): z.ZodString => z.string().overwrite(manyLines);

/** What is shown, with every text in it as `manyLines` leaves it; names of fields stay. */
export function readable<T>(shown: T): T {
  if (typeof shown === 'string') return (PLAIN.test(shown) ? shown : manyLines(shown)) as T;
  if (Array.isArray(shown)) return shown.map(readable) as T;
  if (typeof shown !== 'object' || shown === null || shown instanceof Date) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, readable(value)])) as T;
}
