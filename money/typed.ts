/** The languages whose habits of writing numbers are known. */
export type TypedLocale = 'en' | 'ru';

/** A unit before or behind a number, as it is pasted with it. */
const UNIT = /^[\s\p{L}$€₽_]+|[\s\p{L}$€₽_]+$/gu;
/** A number and a letter for thousands or millions: read without the letter it would be another number. */
const TIMES = /[0-9]\s*(?:k|m|mln|bn|к|м|тыс|млн|млрд)\s*$/iu;

/**
 * What a person typed or pasted, as canonical decimal text: `1 000,5`, `1,000.50`, `1000 USDT` → `"1000.5"`.
 * In Russian a comma is the decimal mark. In English it is a group mark when exactly three digits follow it (and no
 * second kind of mark contradicts), else the decimal mark. A unit before or behind the number and spaces in it are dropped,
 * decimals beyond `digits` are cut. Gives `""` for nothing typed and `undefined` where no reading is safe (a sign, two
 * decimal marks, letters within the number, `5k`).
 */
export function readTyped(text: string, locale: TypedLocale, digits: number): string | undefined {
  const bare = text.replace(UNIT, '');
  if (bare === '') return '';
  const marks = bare.replace(/[\s_]/g, '');
  if (TIMES.test(text) || !/^[0-9.,]+$/.test(marks) || !/[0-9]/.test(marks)) return undefined;
  const split = splitAtDecimalMark(marks, locale);
  if (!split) return undefined;
  const whole = split.whole.replace(/^0+(?=.)/, '') || '0';
  const behind = split.behind.slice(0, digits);
  return behind === '' ? whole : `${whole}.${behind}`;
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

/** Whether a text is written in groups of three: `1,000,000`. */
function groupsHold(text: string, mark: string): boolean {
  const [first, ...rest] = text.split(mark);
  return first !== undefined && first.length >= 1 && first.length <= 3 && rest.every((group) => group.length === 3);
}
