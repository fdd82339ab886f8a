// Worth of sums in USD at the rates of now.

import { money } from '@kurs/money';
import { latest, usdValue } from '../../rates/index.ts';

/** Returns the worth of a sum of an asset in cents, rounded up; 0 while the asset has no price. */
export function worthOf(asset: string, parts: bigint): bigint {
  const snapshot = latest();
  if (!snapshot?.body.assets[asset]) return 0n;
  return usdValue(snapshot, money(asset, parts), asset).parts;
}

/** Returns the worth of a sum of a unit in cents, rounded up; undefined without a price. */
export function usdOf(unit: string, parts: bigint): bigint | undefined {
  const snapshot = latest();
  try {
    return snapshot && usdValue(snapshot, money(unit, parts)).parts;
  } catch {
    // The unit has no price now.
    return undefined;
  }
}
