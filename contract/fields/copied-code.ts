// Codes as people copy them out of letters, chats and sheets of paper: with the text around them, and with signs that look the same.

const DASHES = /[\p{Pd}\u02D7\u2043\u2212\u23AF\u23E4\u2500\u2501\u2504\u2505\u2508\u2509\u254C\u254D\u2796\u30FC]/gu;
/** White space, quotes and what nobody sees: wherever in a code they stand. */
const DROPPED =
  /[\s\p{Cc}\p{Cf}\p{DI}\u2800\p{Pi}\p{Pf}"'`\u00B4\u02B9-\u02BD\u02C8\u02CA\u02CB\u02EE\u2032\u2033\u201A\u201E\u301D-\u301F]/gu;
/** Brackets, full stops and the like around a code. */
const AROUND = /^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu;

/** Returns a code in capitals, without the spaces, quotes and end marks around it. Each kind of dash becomes `-`. */
export const copiedCode = (text: string): string =>
  text.normalize('NFKC').toUpperCase().replace(DASHES, '-').replace(DROPPED, '').replace(AROUND, '');

const CYRILLIC = 'АВСЕЁНҺКМОРТХУҮІЇӀЅЈԀԌԚԜѴ';
const LATIN = 'ABCEEHHKMOPTXYYIIISJDGQWV';

/** A code in capitals with the Latin letters that its Cyrillic ones look like. */
export const withLatinLetters = (code: string): string =>
  code.replace(new RegExp(`[${CYRILLIC}]`, 'g'), (letter) => LATIN.charAt(CYRILLIC.indexOf(letter)));

/** A code in capitals with the digits that its letters may have been: O is 0, I and L are 1. */
export const withDigits = (code: string): string => code.replaceAll('O', '0').replace(/[IL]/g, '1');

/** Digits that were copied in groups, or with a full stop behind them. */
export const copiedDigits = (text: string): string => {
  const bare = copiedCode(text).replaceAll('-', '');
  return /^\d+$/.test(bare) ? bare : text;
};

/** The digits of an authenticator, or a recovery code: letters and digits in groups, without I, L and O of its own. */
export const copiedGroups = (text: string): string => copiedDigits(withLatinLetters(copiedCode(text)));

/** The number of an order or a ticket as it was copied: two letters, and two groups without I, L and O. */
export function copiedOrderId(text: string): string {
  const [, name, first = '', second = ''] =
    /^([A-Z]{2})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/.exec(withLatinLetters(copiedCode(text))) ?? [];
  return name === undefined ? text : `${name}-${withDigits(first)}-${withDigits(second)}`;
}
