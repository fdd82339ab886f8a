import { turnsRound, withoutEdges, withoutUnseen } from './characters.ts';

/** Languages whose number formats are supported. */
export type TypedLocale = 'en' | 'ru';

/** Maximum length of a typed text, in characters; any amount with its unit is shorter. */
const LONGEST = 200;
/** Matches a unit before a number, with the full stop of an abbreviation: `₿`, `Rs.`, `USDT`, `руб.`. */
const BEFORE = /^[\s_]*(?:[\p{L}\p{Sc}][\s\p{L}\p{Sc}_]*(?:\.(?=\s|$)\s*)?)?/u;
/** Matches a unit after a number. */
const BEHIND = /[\s_]*(?:[\p{L}\p{Sc}][\s\p{L}\p{Sc}_]*\.?)?$/u;
/** Matches a word that runs into a number, so that its full stop may be a decimal mark: `руб.5`. */
const RUNS_IN = /\p{L}[.,][0-9]/u;
/** Matches a number with a sign for thousands or millions (`5k`): without the sign it would be another number. */
const TIMES = /[0-9.,]\s*(?:k{1,3}|mm?|b|t|mln|mil|x|кк?|м|тр?|б|х|(?:лям|косар|косых|штук|сот)\p{L}*)(?![\p{L}\p{N}])/iu;
/** Matches words for dozens, hundreds, thousands and more, before or after a number. */
const LARGE =
  /(?<!\p{L})(?:mio|mrd|bn|mn|tn|bil|trln|hundreds?|thousands?|millions?|billions?|trillions?|grand|dozens?|lakhs?|lacs?|crores?|(?:млн|млрд|трлн|тыс|тыщ|миллион|миллиард|трилл|сотн|сотк|дюжин|десятк)\p{L}*)(?!\p{L})/iu;
/** Matches words that change the meaning of a number: names of parts of a unit, shares, deductions. */
const RESIZES =
  /(?<!\p{L})(?:half|половин\p{L}*|sats?|satoshis?|сат|сатош\p{L}*|[gk]?wei|finney|szabo|sun|bits?|cents?|цент\p{L}*|pence|penny|коп\p{L}*|kop\p{L}*|[cdmnpuµμ](?:btc|₿)|[kmuµμ](?:btc|eth|bnb|trx|ltc|doge|usd[tc]?|eur|gbp|rub|₿|€|\$)|per\s?cent|pct|bps?|ppm|проц\p{L}*|промил\p{L}*|minus|минус)(?!\p{L})|¢/iu;
/** Matches digits that belong to a unit's name and not to the amount: `TRC20 500` must not be read as 20 500. */
const UNIT_WITH_DIGITS = /(?:erc|trc|bep|spl)\s?[0-9]|\p{L}[0-9]+[\s_'’]+[0-9]/iu;
const NOT_ONE_NUMBER = [TIMES, LARGE, RESIZES, UNIT_WITH_DIGITS, RUNS_IN];
/** Letters that people type in place of digits, by the letter. */
const DIGITS = new Map([...'O0o0О0о0Ο0ο0l1I1І1З3з3'.matchAll(/(.)(\d)/gu)].map(([, letter = '', digit = '']) => [letter, digit]));
/** Matches groups of three digits separated by one kind of gap, up to a decimal mark or the end. */
const GAPS = /^[1-9][0-9]{0,2}([ _'])[0-9]{3}(?:\1[0-9]{3})*(?=[.,]|$)/;

/**
 * Reads an amount that a person typed or pasted, as canonical decimal text: `1 000,5`, `1’000.50 руб.`, `₿0.5` → `"1000.5"`,
 * `"1000.50"`, `"0.5"`.
 * - In Russian a comma is the decimal mark. In English it is a group mark if exactly three digits follow it and no other mark
 *   contradicts; otherwise it is the decimal mark.
 * - Spaces, apostrophes and underscores separate groups of three.
 * - A unit before or after the number and invisible characters are dropped. Decimals beyond `digits` are cut.
 * Returns `""` for an empty text, and `undefined` if no reading is safe: a sign, two decimal marks, letters within the number,
 * `5k`, `1 23`, `500 sats`, `TRC20 500`.
 */
export function readTyped(text: string, locale: TypedLocale, digits: number): string | undefined {
  if (text.length > LONGEST || turnsRound(text)) return undefined;
  const trimmed = withoutEdges(text);
  // A line break or a tab separates two texts, so the amount is not one number.
  if (/\p{Cc}/u.test(trimmed)) return undefined;
  const seen = withoutUnseen(trimmed);
  if (NOT_ONE_NUMBER.some((sign) => sign.test(seen)) || findDigitAlike(seen)) return undefined;
  const bare = seen.replace(BEFORE, '').replace(BEHIND, '');
  if (bare === '') return '';
  const marks = bare.replace(/[‘’ʼ′]/g, "'").replace(/\p{Zs}+/gu, ' ');
  if (!/^[0-9., _']+$/.test(marks) || !/[0-9]/.test(marks)) return undefined;
  const split = /[ _']/.test(marks) ? splitAtGaps(marks) : splitAtDecimalMark(marks, locale);
  if (!split) return undefined;
  const whole = split.whole.replace(/^0+(?=.)/, '') || '0';
  const behind = split.behind.slice(0, digits);
  return behind === '' ? whole : `${whole}.${behind}`;
}

/** Finds a letter typed in place of a digit (`1О0`, `l00`), with the digit it looks like. */
export function findDigitAlike(text: string): { readonly letter: string; readonly digit: string } | undefined {
  for (const word of text.match(/[\p{L}\p{N}.,'’_]+/gu) ?? []) {
    const letters = word.match(/\p{L}/gu) ?? [];
    if (!/[0-9]/.test(word) || letters.length === 0) continue;
    const within = /[0-9.,](\p{L})(?=[0-9])/u.exec(word)?.[1] ?? '';
    const letter = DIGITS.has(within) ? within : letters.every((one) => DIGITS.has(one)) ? letters[0] : undefined;
    const digit = DIGITS.get(letter ?? '');
    if (letter !== undefined && digit !== undefined) return { letter, digit };
  }
  return undefined;
}

/**
 * Splits a number with gaps (`1 000 000,5`) into its whole part and its decimals. All groups must be complete, and the decimals
 * must have no gaps.
 */
function splitAtGaps(marks: string): { whole: string; behind: string } | undefined {
  const [grouped] = GAPS.exec(marks) ?? [];
  if (grouped === undefined) return undefined;
  const behind = marks.slice(grouped.length);
  return /^(?:[.,][0-9]*)?$/.test(behind) ? { whole: grouped.replace(/[ _']/g, ''), behind: behind.slice(1) } : undefined;
}

function splitAtDecimalMark(marks: string, locale: TypedLocale): { whole: string; behind: string } | undefined {
  const last = Math.max(marks.lastIndexOf('.'), marks.lastIndexOf(','));
  if (last < 0) return { whole: marks, behind: '' };
  const mark = marks[last] as '.' | ',';
  const other = mark === '.' ? ',' : '.';
  const isGroup =
    marks.indexOf(mark) !== last ||
    (mark === ',' && locale === 'en' && !marks.includes('.') && /^[1-9][0-9]{0,2}(,[0-9]{3})+$/.test(marks));
  if (isGroup) {
    return groupsHold(marks, mark) && !marks.includes(other) ? { whole: marks.replaceAll(mark, ''), behind: '' } : undefined;
  }
  const head = marks.slice(0, last);
  if (head.includes(other) && !groupsHold(head, other)) return undefined;
  return { whole: head.replaceAll(other, ''), behind: marks.slice(last + 1) };
}

/** Returns true if a text consists of groups of three digits: `1,000,000`. The first group may be shorter. */
function groupsHold(text: string, mark: string): boolean {
  const [first, ...rest] = text.split(mark);
  return first !== undefined && first.length >= 1 && first.length <= 3 && rest.every((group) => group.length === 3);
}
