import type { SiteLocale } from '../../../site.ts';

// Search in questions and answers, by words in any order and with any ending. Runs on the server only.

const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(['', ...lines.flatMap((line) => line.split(' '))]);

/** Endings in which two forms of one word may differ. */
const ENDINGS: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    's es e ed ing ings y ies ied ion ions ation ations ication ications able',
    // Endings after a doubled consonant.
    'led ling lation lations ted ting ped ping',
  ),
  ru: listed(
    // Endings of nouns.
    'а я о е ы и у ю ь й ом ем ой ей ью ам ям ами ями ах ях ов ев ия ии ию ий ие ием ией иям иях иями',
    'ка ки ке ку кой ок ек ек ька ьки ьку ьке ьков ьком ькам ьках ость ости остью ение ения ению ением',
    // Endings of adjectives.
    'ый ая ое ые ого его ому ему ым им ую юю ых их ыми ими ее яя',
    // Endings of verbs.
    'ть ти ать ять ить еть уть ал ил ала ила ало ило али или ит ат ят ет ут ют ает яет ают яют ует уют',
    'ются ится ать аться иться ивать ывать ивает ывает ивают ывают ировать ирован ован',
  ),
};

/** Words that a search ignores, because almost every text contains them. */
const IDLE: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    'a an and are at by can do does for from get how i if in is it my of on or the to what when where which why with you your',
  ),
  ru: listed(
    'а в во вы для до если и из или как какая какие какой ко когда ли мне мой моя мои на не но о об от по почему с у что это я',
  ),
};

/** Minimum number of letters that two forms of a word share, and of a typed beginning of a word. */
const MIN = 3;

/**
 * Splits a text into lower-case words without punctuation. A word with a hyphen results in its parts and in the whole: "e-mail"
 * results in "e", "mail" and "email".
 */
function wordsOf(text: string): string[] {
  const small = text.toLowerCase().replaceAll('ё', 'е').replaceAll('\u2011', '-').replace(/['’]/g, '');
  return [...small.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)].flatMap(([word]) =>
    word.includes('-') ? [...word.split('-'), word.replaceAll('-', '')] : [word],
  );
}

/** True if two words are forms of one word, that is, equal except for their endings. */
function isSameWord(one: string, other: string, endings: ReadonlySet<string>): boolean {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  for (let at = MIN; at <= shorter && one.slice(0, at) === other.slice(0, at); at++)
    if (endings.has(one.slice(at)) && endings.has(other.slice(at))) return true;
  return false;
}

/**
 * Returns a function that checks texts. It returns true if a text contains every word of the query, in some form or as the
 * beginning of a word. A query without words matches no text.
 */
export function searchFor(query: string, locale: SiteLocale): (text: string) => boolean {
  const endings = ENDINGS[locale];
  // The query is split at hyphens, since both the parts and the whole of "e-mail" are found in texts.
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
