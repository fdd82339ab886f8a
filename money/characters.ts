/**
 * What a text may be made of beside what people see of it: characters without a look of their own, marks that turn it round,
 * letters of one alphabet that look like another's.
 */

/** Control characters, and those that only tell a program how to show a text. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
const ALL_UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const EDGE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]$/u;
/** Marks and embeddings from right to left, and the overrides of either direction. */
const TURNS = /[\u061C\u200F\u202B\u202D\u202E\u2067]/;

/** Whether a text holds a mark by which it is shown in another order than it is written in. */
export const turnsRound = (text: string): boolean => TURNS.test(text);

/** Whether a text holds a character that nobody sees. White space of one line isn't meant. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

/** A text without characters that nobody sees; white space of one line stays. */
export const withoutUnseen = (text: string): string => text.replace(ALL_UNSEEN, '');

/** A text without white space and unseen characters before and behind it. */
export function withoutEdges(text: string): string {
  const characters = [...text];
  const first = characters.findIndex((one) => !EDGE.test(one));
  const last = characters.findLastIndex((one) => !EDGE.test(one));
  return first < 0 ? '' : characters.slice(first, last + 1).join('');
}

/** A character that is taken for another: which, for what, and at which place of the text, counted from 1. */
export interface LookAlike {
  readonly letter: string;
  readonly latin: string;
  readonly place: string;
}

/** Letters of Cyrillic and Greek that look like Latin ones, each before the one that it is taken for. */
const PAIRS =
  'АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY ԜW аa вb сc еe һh іi јj кk мm оo рp ѕs тt хx уy ԁd ԛq ԝw ѵv ԐE ЗZ ЁE ёe нh ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa εe ιi κk νv οo ρp τt υu χx γy ıi ɑa ɡg';
const ALIKE: ReadonlyMap<string, string> = new Map(PAIRS.split(' ').map(([letter = '', latin = '']) => [letter, latin]));

/**
 * A letter of another alphabet that looks like a Latin one, or a wide or ornate form of it: which, for what, and at which
 * place.
 */
export function findLookAlike(text: string): LookAlike | undefined {
  for (const [index, letter] of [...text].entries()) {
    if (letter <= '\u007F') continue;
    const plain = letter.normalize('NFKC');
    const latin = ALIKE.get(letter) ?? (/^[0-9A-Za-z]$/.test(plain) ? plain : undefined);
    if (latin !== undefined) return { letter, latin, place: String(index + 1) };
  }
  return undefined;
}
