import { type Fraction, fraction } from '@kurs/money';
import { heldByUnit } from '../../compliance/index.ts';
import { currencies } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { larger } from '../directions/share.ts';
import { reserveOf } from './price-now.ts';

/**
 * Returns the share that unpaid orders now hold of a reserve: the largest such share of all currencies. A share is held ÷ (held +
 * free). The robot check requires more work the larger this share is.
 */
export async function heldShare(db: Statements): Promise<Fraction> {
  const held = await heldByUnit(db);
  return currencies()
    .map(({ code, unit }) => {
      const parts = held.get(unit) ?? 0n;
      return parts === 0n ? fraction(0n, 1n) : fraction(parts, parts + reserveOf(code).parts);
    })
    .reduce(larger, fraction(0n, 1n));
}
