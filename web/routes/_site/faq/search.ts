import type { SiteLocale } from '../../../site.ts';

// How questions are searched: by words, in any order, whatever their endings. The server alone does it.

const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(['', ...lines.flatMap((line) => line.split(' '))]);

/** Endings of one word: in these it may differ from itself. */
const ENDINGS: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    's es e ed ing ings y ies ied ion ions ation ations ication ications able',
    // A consonant is doubled before them.
    'led ling lation lations ted ting ped ping',
  ),
  ru: listed(
    // Of nouns.
    'а я о е ы и у ю ь й ом ем ой ей ью ам ям ами ями ах ях ов ев ия ии ию ий ие ием ией иям иях иями',
    'ка ки ке ку кой ок ек ек ька ьки ьку ьке ьков ьком ькам ьках ость ости остью ение ения ению ением',
    // Of adjectives.
    'ый ая ое ые ого его ому ему ым им ую юю ых их ыми ими ее яя',
    // Of verbs.
    'ть ти ать ять ить еть уть ал ил ала ила ало ило али или ит ат ят ет ут ют ает яет ают яют ует уют',
    'ются ится ать аться иться ивать ывать ивает ывает ивают ывают ировать ирован ован',
  ),
};

/** Words that tell nothing of what is looked for. */
const IDLE: Readonly<Record<SiteLocale, ReadonlySet<string>>> = {
  en: listed(
    'a an and are at by can do does for from get how i if in is it my of on or the to what when where which why with you your',
  ),
  ru: listed(
    'а в во вы для до если и из или как какая какие какой ко когда ли мне мой моя мои на не но о об от по почему с у что это я',
  ),
};

/** The least that two forms of a word have in common, and the least of a word by which it is known. */
const LEAST = 3;

/** A text's words: small letters, no marks. What a hyphen joins is there apart as well: "e-mail" is "e", "mail", "email". */
function wordsOf(text: string): string[] {
  const small = text.toLowerCase().replaceAll('ё', 'е').replaceAll('\u2011', '-').replace(/['’]/g, '');
  return [...small.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)].flatMap(([word]) =>
    word.includes('-') ? [...word.split('-'), word.replaceAll('-', '')] : [word],
  );
}

/** Whether both are forms of one word: they are the same up to their endings. */
function isSameWord(one: string, other: string, endings: ReadonlySet<string>): boolean {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  for (let at = LEAST; at <= shorter && one.slice(0, at) === other.slice(0, at); at++)
    if (endings.has(one.slice(at)) && endings.has(other.slice(at))) return true;
  return false;
}

/** Tells of a text whether it holds every word of the query, or begins one with it. A query without words finds nothing. */
export function searchFor(query: string, locale: SiteLocale): (text: string) => boolean {
  const endings = ENDINGS[locale];
  // The parts alone: of "e-mail" the text holds both or the whole.
  const typed = wordsOf(query.replace(/[-\u2011]/g, ' '));
  const telling = typed.filter((word) => !IDLE[locale].has(word));
  const wanted = telling.length > 0 ? telling : typed;
  return (text) => {
    const words = wordsOf(text);
    const holds = (word: string): boolean =>
      words.some((one) => isSameWord(word, one, endings) || (word.length >= LEAST && one.startsWith(word)));
    return wanted.length > 0 && wanted.every(holds);
  };
}
