import { parse } from '@kurs/money';

/** Returns the used part of a limit in percent, for a bar. Takes amounts in USD. Any use is at least 1. */
export function shareOf(used: string, limit: string): number {
  const [part, whole] = [parse('USD', used).parts, parse('USD', limit).parts];
  if (part === 0n && whole > 0n) return 0;
  if (part >= whole) return 100;
  const percent = (part * 100n + whole / 2n) / whole;
  return parseInt(`${percent === 0n ? 1n : percent}`, 10);
}
