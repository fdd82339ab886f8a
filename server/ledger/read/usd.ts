import { scaleOf } from '@kurs/money';

// Exact sums of parts × price. A price has at most 18 decimals, and an amount of a unit has at most 18, too. Every sum is
// therefore a whole number of 10^-36 USD, and nothing is rounded.

const PRICE_DIGITS = 18;
const DIGITS = 36;

/** An exact amount of USD, possibly negative, as a whole number of 10^-36 USD. */
export type Usd = bigint;

/** Converts a sum of parts × price of a unit, as PostgreSQL writes it (`"-4130500.25"`), into exact USD. */
export function usdOf(unit: string, partsTimesPrice: string): Usd {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(partsTimesPrice);
  const behind = (match?.[3] ?? '').replace(/0+$/, '');
  if (!match || behind.length > PRICE_DIGITS) throw new RangeError(`Not a sum of parts and prices: ${partsTimesPrice}`);
  const whole = BigInt(match[2] + behind.padEnd(PRICE_DIGITS, '0')) * 10n ** BigInt(DIGITS - PRICE_DIGITS - scaleOf(unit));
  return match[1] === '-' ? -whole : whole;
}

/** Formats exact USD as a plain decimal without trailing zeros: `"2852.7412"`. */
export function formatUsd(amount: Usd): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DIGITS + 1, '0');
  const behind = digits.slice(-DIGITS).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}${behind && `.${behind}`}`;
}
