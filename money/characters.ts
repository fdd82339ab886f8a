/**
 * Finds characters by which a text differs from what a reader sees: invisible characters, marks that reverse the text's
 * direction, and letters of one alphabet that look like another's.
 */

/** Control characters, and characters that only tell a program how to display a text. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
const ALL_UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const EDGE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]$/u;
/** Marks and embeddings that turn text right to left, and overrides of either direction. */
const TURNS = /[\u061C\u200F\u202B\u202D\u202E\u2067]/;

/** Returns true if a text contains a mark that makes programs display it in another order than written. */
export const turnsRound = (text: string): boolean => TURNS.test(text);

/** Returns true if a text contains an invisible character. Ordinary white space is allowed. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

/** Removes invisible characters; ordinary white space stays. */
export const withoutUnseen = (text: string): string => text.replace(ALL_UNSEEN, '');

/** Removes white space and invisible characters from both ends of a text. */
export function withoutEdges(text: string): string {
  const characters = [...text];
  const first = characters.findIndex((one) => !EDGE.test(one));
  const last = characters.findLastIndex((one) => !EDGE.test(one));
  return first < 0 ? '' : characters.slice(first, last + 1).join('');
}

/** A letter that looks like a Latin letter. `latin`: that Latin letter; `place`: the position in the text, counted from 1. */
export interface LookAlike {
  readonly letter: string;
  readonly latin: string;
  readonly place: string;
}

/** Cyrillic and Greek letters that look like Latin letters, each followed by the Latin letter. */
const PAIRS =
  'АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY ԜW аa вb сc еe һh іi јj кk мm оo рp ѕs тt хx уy ԁd ԛq ԝw ѵv ԐE ЗZ ЁE ёe нh ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa εe ιi κk νv οo ρp τt υu χx γy ıi ɑa ɡg';
const ALIKE: ReadonlyMap<string, string> = new Map(PAIRS.split(' ').map(([letter = '', latin = '']) => [letter, latin]));

/** Finds the first letter that looks like a Latin one: of another alphabet, or a wide or ornate form of a Latin letter. */
export function findLookAlike(text: string): LookAlike | undefined {
  for (const [index, letter] of [...text].entries()) {
    if (letter <= '\u007F') continue;
    const plain = letter.normalize('NFKC');
    const latin = ALIKE.get(letter) ?? (/^[0-9A-Za-z]$/.test(plain) ? plain : undefined);
    if (latin !== undefined) return { letter, latin, place: String(index + 1) };
  }
  return undefined;
}
