import { type Money, PriceError, type PriceTerms, type Slip, slipForGive } from '@kurs/money';

/** What an amount given becomes; undefined where fee and costs leave nothing of it. */
export function slipOrNone(give: Money, terms: PriceTerms): Slip | undefined {
  try {
    return slipForGive(give, terms);
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}
