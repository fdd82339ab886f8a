import type { Output, Routes } from '@kurs/contract';
import { compare, format, parse, percentText, fraction, readTyped, subtract } from '@kurs/money';

/** Amount or problem in the text of an amount's field; undefined if the field is empty. */
export type Typed = { readonly amount: string } | { readonly problem: 'unreadable' | 'too_much' } | undefined;

/**
 * Reads a typed amount and compares it with the available balance. Returns undefined if the text is empty or contains only zeros.
 */
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
    // The typed number has more digits than amounts may have.
    return { problem: 'unreadable' };
  }
}

/** Returns the balance that is left after an amount has left the wallet. */
export const leftOf = (unit: string, available: string, amount: string): string =>
  format(subtract(parse(unit, available), parse(unit, amount)));

/** Fee of a withdrawal method: a fixed amount, or an estimated percentage. */
export type WayFee = { readonly amount: string } | { readonly percent: string };

interface Quoted {
  readonly amount: string;
  readonly fee: string;
}

/** Estimates the fee of a withdrawal method. Takes the method's quotes for two amounts of a unit, the larger amount first. */
export function feeOfWay(unit: string, large: Quoted, small: Quoted): WayFee {
  const more = (a: string, b: string): bigint => parse(unit, a).parts - parse(unit, b).parts;
  const [of, fee] = [more(large.amount, small.amount), more(large.fee, small.fee)];
  if (of <= 0n || fee <= 0n) return { amount: large.fee };
  // The percentage is rounded to hundredths, the smallest step that the page shows.
  return { percent: percentText(fraction((fee * 10_000n + of / 2n) / of, 10_000n)) };
}

/** Withdrawal as the API shows it to its holder. */
export type Withdrawal = Output<Routes['walletWithdrawRequests']>[number];

/**
 * Line on the slip of a withdrawal. `line` says what the amount is: the fee, or an amount that will leave or arrive, has left or
 * arrived, was requested, or came back.
 */
export interface SlipSum {
  readonly line: 'leaves' | 'left' | 'fee' | 'arrives' | 'arrived' | 'asked' | 'back';
  readonly amount: string;
}

/** Returns the lines on the slip of a withdrawal, by its status. The last line is the total. */
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
