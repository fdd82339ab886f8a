import { compare, format, parse, readTyped, subtract } from '@kurs/money';

/** What somebody typed as a sum of a unit. */
export type Typed = { readonly amount: string } | { readonly problem: 'unreadable' | 'too_much' } | undefined;

/** Reads a typed sum of what is available: undefined for nothing, or nothing but zeros. */
export function readSum(
  text: string,
  { unit, digits, available, locale }: { unit: string; digits: number; available: string; locale: 'en' | 'ru' },
): Typed {
  const amount = readTyped(text, locale, digits);
  if (amount === undefined) return { problem: 'unreadable' };
  if (/^[0.]*$/.test(amount)) return undefined;
  try {
    return compare(parse(unit, amount), parse(unit, available)) > 0 ? { problem: 'too_much' } : { amount };
  } catch {
    // More digits than any sum has.
    return { problem: 'unreadable' };
  }
}

/** What is left of what was available. */
export const leftOf = (unit: string, available: string, amount: string): string =>
  format(subtract(parse(unit, available), parse(unit, amount)));
