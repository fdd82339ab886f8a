/**
 * Parses JSON with every number as its original text, since an amount of a coin may have more digits than a float holds. Throws a
 * SyntaxError if the text is no JSON.
 */
export function readExactly(text: string): unknown {
  const store = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? context.source : value;
  return JSON.parse(text, store as (key: string, value: unknown) => unknown);
}

const NUMBER = /^(\d{1,30})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i;

/** Returns a number's text without an exponent (`1.5e-7` → `0.00000015`), or undefined if it is negative or no number. */
export function plain(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, whole = '', behind = '', exponent = '0'] = match;
  const shift = Number.parseInt(exponent, 10);
  const digits = whole + behind;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const right = padded.slice(at);
  return right === '' ? left : `${left}.${right}`;
}
