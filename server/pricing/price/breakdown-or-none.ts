import { type Money, PriceError, type PriceTerms, type PriceBreakdown, breakdownForGive } from '@kurs/money';

/** Returns the price breakdown of an amount given; undefined if fee and costs exceed the amount. */
export function breakdownOrNone(give: Money, terms: PriceTerms): PriceBreakdown | undefined {
  try {
    return breakdownForGive(give, terms);
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}
