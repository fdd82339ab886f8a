import { decimal } from '@kurs/money';

/** Parts of a bar, in whole percent of its width. */
export interface PaidShare {
  readonly credited: bigint;
  readonly pending: bigint;
}

/**
 * Returns how much of a bar the credited and the pending sum of an invoice fill. Any sum above zero fills at least 2 percent, and
 * a bar is full only if the whole amount is there. Figures are never shown from these shares.
 */
export function paidShare(amount: string, credited: string, pending: string): PaidShare {
  const [first, second] = [percentOf(credited, amount), percentOf(pending, amount)];
  return { credited: first, pending: first + second > 100n ? 100n - first : second };
}

function percentOf(part: string, whole: string): bigint {
  const [of, all] = [decimal(part), decimal(whole)];
  if (of.numerator === 0n) return 0n;
  const [above, below] = [of.numerator * all.denominator, all.numerator * of.denominator];
  if (above >= below) return 100n;
  const percent = (above * 100n) / below;
  return percent < 2n ? 2n : percent;
}
