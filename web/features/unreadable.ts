import { findDigitAlike } from '@kurs/money';
import { m } from './words.ts';

/** Returns the message for a text that is no clear amount: the letter that looks like a digit, or the format of amounts. */
export function unreadable(text: string): string {
  const alike = findDigitAlike(text);
  return alike ? m.amount_look_alike(alike) : m.amount_unreadable();
}
