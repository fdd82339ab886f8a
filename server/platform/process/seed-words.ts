// The words of a seed (BIP 39), as a person types them from paper: in any case and spacing, with or without numbers.

import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Number of words in a seed of 256 bits and their checksum. */
export const SEED_WORDS = 24;

const LISTED: ReadonlySet<string> = new Set(wordlist);

/** Returns 24 new words from the system's randomness. */
export const newSeed = (): string => generateMnemonic(wordlist, 256);

/** A typed word in lower case, with the number before it. */
export interface TypedWord {
  readonly word: string;
  readonly number?: number;
}

/**
 * Splits a typed text into words. Accepts any spacing, line breaks, commas, capitals, and other Unicode forms of the same
 * letters. A number may precede each word (`1. abandon`, `1) abandon`, `1 abandon`).
 */
export function typedWords(text: string): TypedWord[] {
  const pieces = text
    .normalize('NFKD')
    .replace(/[\u200b-\u200d\u2060]/g, '')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((piece) => piece !== '');
  const words: TypedWord[] = [];
  let number: number | undefined;
  for (const piece of pieces) {
    const [, digits, rest = ''] = /^(?:[^\p{L}\d]*(\d{1,3}))?(.*)$/u.exec(piece) ?? [];
    if (digits !== undefined) number = Number.parseInt(digits, 10);
    // Removes bullets, quotes and full stops around a word.
    const word = rest.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
    if (word === '') continue;
    words.push(number === undefined ? { word } : { word, number });
    number = undefined;
  }
  return words;
}

/**
 * Sorts numbered words by their numbers, since a list on paper may have columns. Words without numbers keep their order. Returns
 * undefined unless the numbers are 1, 2, 3 and so on, each once.
 */
export function sortedByPlace(words: readonly TypedWord[]): string[] | undefined {
  if (words.every(({ number }) => number === undefined)) return words.map(({ word }) => word);
  const sorted = words.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return sorted.every(({ number }, at) => number === at + 1) ? sorted.map(({ word }) => word) : undefined;
}

/** Returns true if a word is in BIP 39's English list. */
export const isListed = (word: string): boolean => LISTED.has(word);

/** Returns true for 24 words of the list with the right checksum, which is part of the last word. */
export const isSeed = (words: readonly string[]): boolean =>
  words.length === SEED_WORDS && validateMnemonic(words.join(' '), wordlist);

const MAX_NEAR = 4;
const FARTHEST = 2;

/**
 * Returns up to four words of the list that begin with a mistyped word. If there are no such words, returns words with an edit
 * distance of at most `FARTHEST`, the nearest first.
 */
export function nearWords(typed: string): string[] {
  const begun = typed.length > 2 ? wordlist.filter((word) => word.startsWith(typed)) : [];
  if (begun.length > 0) return begun.slice(0, MAX_NEAR);
  return wordlist
    .map((word) => ({ word, far: distance(typed, word) }))
    .filter(({ far }) => far <= FARTHEST)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, MAX_NEAR)
    .map(({ word }) => word);
}

/**
 * Returns the Damerau distance of two words: the minimum number of letters to add, omit or change, or of neighbours to swap.
 */
function distance(one: string, other: string): number {
  const rows: number[][] = Array.from({ length: one.length + 1 }, (_, at) => [at]);
  for (let at = 0; at <= other.length; at += 1) rows[0]![at] = at;
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const changed = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity;
      rows[i]![j] = Math.min(changed, swapped, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1);
    }
  }
  return rows[one.length]![other.length]!;
}
