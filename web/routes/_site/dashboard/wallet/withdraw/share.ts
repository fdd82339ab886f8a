import { parse } from '@kurs/money';

/** Percent of a bound in USD that is used, for a bar: whatever is used can be seen. */
export function shareOf(used: string, limit: string): number {
  const [part, whole] = [parse('USD', used).parts, parse('USD', limit).parts];
  if (part === 0n && whole > 0n) return 0;
  if (part >= whole) return 100;
  const percent = (part * 100n + whole / 2n) / whole;
  return parseInt(`${percent === 0n ? 1n : percent}`, 10);
}
