import type { Output, Routes } from '@kurs/contract';
import { compare, format, parse, percentText, fraction, readTyped, subtract } from '@kurs/money';

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

/** What a way out takes, whatever is sent: always the same sum, or about so many percent. */
export type WayFee = { readonly amount: string } | { readonly percent: string };

interface Quoted {
  readonly amount: string;
  readonly fee: string;
}

/** What a way costs, known by what it takes for a sum of a unit and for a smaller one. */
export function feeOfWay(unit: string, large: Quoted, small: Quoted): WayFee {
  const more = (a: string, b: string): bigint => parse(unit, a).parts - parse(unit, b).parts;
  const [of, fee] = [more(large.amount, small.amount), more(large.fee, small.fee)];
  if (of <= 0n || fee <= 0n) return { amount: large.fee };
  // In hundredths of a percent, which is all that anybody reads.
  return { percent: percentText(fraction((fee * 10_000n + of / 2n) / of, 10_000n)) };
}

/** A withdrawal as its holder sees it. */
export type Withdrawal = Output<Routes['walletWithdrawRequests']>[number];

/** A sum on the slip of a withdrawal: what will leave and arrive, what did, what was asked for, or what is back. */
export interface SlipSum {
  readonly line: 'leaves' | 'left' | 'fee' | 'arrives' | 'arrived' | 'asked' | 'back';
  readonly amount: string;
}

/** The sums of a withdrawal as its state has them; the last is what counts. */
export function slipSums({ status, amount, fee, arrives }: Pick<Withdrawal, 'status' | 'amount' | 'fee' | 'arrives'>): SlipSum[] {
  const cost = { line: 'fee', amount: fee } as const;
  switch (status) {
    case 'done':
      return [{ line: 'left', amount }, cost, { line: 'arrived', amount: arrives }];
    case 'returned':
      return [{ line: 'left', amount }, cost, { line: 'back', amount: arrives }];
    case 'failed':
    case 'cancelled':
    case 'rejected':
      return [
        { line: 'asked', amount },
        { line: 'back', amount },
      ];
    default:
      return [{ line: 'leaves', amount }, cost, { line: 'arrives', amount: arrives }];
  }
}
