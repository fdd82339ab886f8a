// Codes as people copy them from letters, chats and paper: with surrounding text and look-alike characters.

const DASHES = /[\p{Pd}\u02D7\u2043\u2212\u23AF\u23E4\u2500\u2501\u2504\u2505\u2508\u2509\u254C\u254D\u2796\u30FC]/gu;
/** White space, quotes and invisible characters, which are dropped anywhere in a code. */
const DROPPED =
  /[\s\p{Cc}\p{Cf}\p{DI}\u2800\p{Pi}\p{Pf}"'`\u00B4\u02B9-\u02BD\u02C8\u02CA\u02CB\u02EE\u2032\u2033\u201A\u201E\u301D-\u301F]/gu;
/** Brackets, full stops and similar characters around a code. */
const AROUND = /^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu;

/** Returns a code in capitals, without the spaces, quotes and end marks around it. Each kind of dash becomes `-`. */
export const copiedCode = (text: string): string =>
  text.normalize('NFKC').toUpperCase().replace(DASHES, '-').replace(DROPPED, '').replace(AROUND, '');

const CYRILLIC = 'АВСЕЁНҺКМОРТХУҮІЇӀЅЈԀԌԚԜѴ';
const LATIN = 'ABCEEHHKMOPTXYYIIISJDGQWV';

/** Returns a code in capitals with Latin letters in place of Cyrillic look-alikes. */
export const withLatinLetters = (code: string): string =>
  code.replace(new RegExp(`[${CYRILLIC}]`, 'g'), (letter) => LATIN.charAt(CYRILLIC.indexOf(letter)));

/** Returns a code in capitals with digits in place of look-alike letters: 0 for O, 1 for I and L. */
export const withDigits = (code: string): string => code.replaceAll('O', '0').replace(/[IL]/g, '1');

/** Returns digits without spaces between groups or a full stop at the end; other text unchanged. */
export const copiedDigits = (text: string): string => {
  const bare = copiedCode(text).replaceAll('-', '');
  return /^\d+$/.test(bare) ? bare : text;
};

/**
 * Returns an authenticator's digits or a recovery code in canonical form. Recovery codes have groups of letters and digits
 * without I, L and O.
 */
export const copiedGroups = (text: string): string => copiedDigits(withLatinLetters(copiedCode(text)));

/**
 * Returns the number of an order or a ticket in canonical form: two letters, and two groups without I, L and O. Other text is
 * returned unchanged.
 */
export function copiedOrderId(text: string): string {
  const [, name, first = '', second = ''] =
    /^([A-Z]{2})-?([0-9A-Z]{4})-?([0-9A-Z]{4})$/.exec(withLatinLetters(copiedCode(text))) ?? [];
  return name === undefined ? text : `${name}-${withDigits(first)}-${withDigits(second)}`;
}
