import { findDigitAlike } from '@kurs/money';
import { m } from './words.ts';

/** What to say of a typed amount that has no safe reading: the letter that stands for a digit, or how amounts are written. */
export function unreadable(text: string): string {
  const alike = findDigitAlike(text);
  return alike ? m.amount_look_alike(alike) : m.amount_unreadable();
}
