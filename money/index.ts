/**
 * Money: units, amounts, rates and the arithmetic of prices.
 *
 * - **Unit**: the currency unit of a ledger account or wallet, with a scale (digits after the point).
 * - **Parts**: a whole number of a unit's smallest part. A branded bigint, so that a bare number never passes for money.
 * - **Money**: parts of a unit.
 * - **Rate**: an exact fraction between two assets, shown with at most 8 significant digits.
 *
 * Pure, without imports, and runs in a browser: the calculator uses the same code as the server.
 */
export { type Unit, UNITS, scaleOf, isUnit, assetOf, tickerOf } from './units.ts';
export {
  type Money,
  type Parts,
  type Rounding,
  MoneyError,
  money,
  zero,
  parse,
  format,
  add,
  subtract,
  compare,
  isZero,
  smaller,
  larger,
  roundTo,
  scaleBy,
  allocate,
  rescale,
} from './money.ts';
export { type Rate, rate, parseRate, formatRate, invert, multiply, cutRate, convert, giveFor, priceOf } from './rate.ts';
export { type Fraction, fraction, percent, percentText, decimal, decimalText } from './fraction.ts';
export { type Component, type ComponentKind, componentOf, totalOf } from './component.ts';
export { type CostLine, type DiscountLine, lineAmount } from './price-line.ts';
export { type DiscountKind, DISCOUNT_KINDS, PROVISION, REWARD_UNIT } from './discounts.ts';
export { type PriceTerms, type PriceBreakdown, breakdownForGive, breakdownForGet, rewardRate, PriceError } from './price.ts';
export { type TypedLocale, findDigitAlike, readTyped } from './typed.ts';
export { findLookAlike, hasUnseen, turnsRound, withoutEdges, withoutUnseen } from './characters.ts';
export { writeClock, writeDate, writeTime, writeZonedTime } from './times.ts';
export { type WrittenLocale, minDigits, trimZeros, writeAmount, writeDecimal } from './written.ts';
export { orderNumber, isOrderNumber, uuidv7 } from './id.ts';
