import { findDigitAlike } from '@kurs/money';
import { m } from './words.ts';

/**
 * Returns the message for a typed text that is not a clear amount. It names a letter that looks like a digit if there is one,
 * otherwise the format of amounts.
 */
export function unreadable(text: string): string {
  const alike = findDigitAlike(text);
  return alike ? m.amount_look_alike(alike) : m.amount_unreadable();
}
