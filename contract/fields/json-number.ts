const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Returns a decimal number in one form: its sign, its digits without outer zeros, and the power of ten of the last digit. Undefined
 * for other text.
 */
function normalised(text: string): string | undefined {
  const [found, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (found === undefined) return undefined;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === '' ? '0' : `${sign}${digits} ${Number(power) - fraction.length + all.length - digits.length}`;
}

/**
 * True if a number of a JSON text has the same value once it was read as a double and written in its shortest form. `0.1` and
 * `1.50` have, `9007199254740993` has not.
 */
export function isExactNumber(text: string): boolean {
  const value = normalised(text);
  return value !== undefined && value === normalised(String(Number(text)));
}
