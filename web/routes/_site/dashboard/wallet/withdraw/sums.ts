import type { Output, Routes } from '@kurs/contract';
import { compare, format, parse, percentText, fraction, readTyped, subtract } from '@kurs/money';

/** Amount as read from a field; undefined for an empty one. */
export type Typed = { readonly amount: string } | { readonly problem: 'unreadable' | 'too_much' } | undefined;

/** Reads a typed amount and compares it with the available balance. Returns undefined for an empty text or one of zeros only. */
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
    // The text has more digits than any amount.
    return { problem: 'unreadable' };
  }
}

/** Balance that is left after an amount has left. */
export const leftOf = (unit: string, available: string, amount: string): string =>
  format(subtract(parse(unit, available), parse(unit, amount)));

/** Fee of a way out of the wallet: a fixed amount, or roughly a percentage. */
export type WayFee = { readonly amount: string } | { readonly percent: string };

interface Quoted {
  readonly amount: string;
  readonly fee: string;
}

/** Estimates the fee of a way from the quotes for two amounts of a unit, the larger first. */
export function feeOfWay(unit: string, large: Quoted, small: Quoted): WayFee {
  const more = (a: string, b: string): bigint => parse(unit, a).parts - parse(unit, b).parts;
  const [of, fee] = [more(large.amount, small.amount), more(large.fee, small.fee)];
  if (of <= 0n || fee <= 0n) return { amount: large.fee };
  // In hundredths of a percent, the finest that the page shows.
  return { percent: percentText(fraction((fee * 10_000n + of / 2n) / of, 10_000n)) };
}

/** A withdrawal as the API shows it to its holder. */
export type Withdrawal = Output<Routes['walletWithdrawRequests']>[number];

/**
 * Line on the slip of a withdrawal: an amount that will leave or arrive, that left or arrived, that was requested, or that is
 * back.
 */
export interface SlipSum {
  readonly line: 'leaves' | 'left' | 'fee' | 'arrives' | 'arrived' | 'asked' | 'back';
  readonly amount: string;
}

/** Lines on the slip of a withdrawal, by its status. The last one is the total. */
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
