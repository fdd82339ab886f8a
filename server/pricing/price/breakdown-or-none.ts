import { type Money, PriceError, type PriceTerms, type PriceBreakdown, breakdownForGive } from '@kurs/money';

/** What an amount given becomes; undefined where fee and costs leave nothing of it. */
export function breakdownOrNone(give: Money, terms: PriceTerms): PriceBreakdown | undefined {
  try {
    return breakdownForGive(give, terms);
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}
