import type { SiteLocale } from '../../../site.ts';

// Searches the questions by words in any order and with any ending. Runs on the server only.

const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(['', ...lines.flatMap((line) => line.split(' '))]);

/** Endings in which two forms of one word may differ. */
const ENDINGS: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    's es e ed ing ings y ies ied ion ions ation ations ication ications able',
    // After a doubled consonant.
    'led ling lation lations ted ting ped ping',
  ),
  ru: listed(
    // Nouns.
    'а я о е ы и у ю ь й ом ем ой ей ью ам ям ами ями ах ях ов ев ия ии ию ий ие ием ией иям иях иями',
    'ка ки ке ку кой ок ек ек ька ьки ьку ьке ьков ьком ькам ьках ость ости остью ение ения ению ением',
    // Adjectives.
    'ый ая ое ые ого его ому ему ым им ую юю ых их ыми ими ее яя',
    // Verbs.
    'ть ти ать ять ить еть уть ал ил ала ила ало ило али или ит ат ят ет ут ют ает яет ают яют ует уют',
    'ются ится ать аться иться ивать ывать ивает ывает ивают ывают ировать ирован ован',
  ),
};

/** Words that carry no meaning in a search. */
const IDLE: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    'a an and are at by can do does for from get how i if in is it my of on or the to what when where which why with you your',
  ),
  ru: listed(
    'а в во вы для до если и из или как какая какие какой ко когда ли мне мой моя мои на не но о об от по почему с у что это я',
  ),
};

/** Minimum length of the stem that two forms share, and of a typed beginning of a word. */
const MIN = 3;

/**
 * Splits a text into lower-case words without punctuation. A word with a hyphen gives its parts and the whole: "e-mail" gives
 * "e", "mail" and "email".
 */
function wordsOf(text: string): string[] {
  const small = text.toLowerCase().replaceAll('ё', 'е').replaceAll('\u2011', '-').replace(/['’]/g, '');
  return [...small.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)].flatMap(([word]) =>
    word.includes('-') ? [...word.split('-'), word.replaceAll('-', '')] : [word],
  );
}

/** True if both are forms of one word, that is, equal except for their endings. */
function isSameWord(one: string, other: string, endings: ReadonlySet<string>): boolean {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  for (let at = MIN; at <= shorter && one.slice(0, at) === other.slice(0, at); at++)
    if (endings.has(one.slice(at)) && endings.has(other.slice(at))) return true;
  return false;
}

/**
 * Returns a function that tells if a text contains every word of the query, in some form or as a beginning. A query without words
 * matches nothing.
 */
export function searchFor(query: string, locale: SiteLocale): (text: string) => boolean {
  const endings = ENDINGS[locale];
  // Splits at hyphens: texts contain the parts of "e-mail" as well as the whole.
  const typed = wordsOf(query.replace(/[-\u2011]/g, ' '));
  const notice = typed.filter((word) => !IDLE[locale].has(word));
  const wanted = notice.length > 0 ? notice : typed;
  return (text) => {
    const words = wordsOf(text);
    const holds = (word: string): boolean =>
      words.some((one) => isSameWord(word, one, endings) || (word.length >= MIN && one.startsWith(word)));
    return wanted.length > 0 && wanted.every(holds);
  };
}
