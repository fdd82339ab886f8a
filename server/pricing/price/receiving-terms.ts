// Terms of receiving a currency that is not exchanged: the costs of receiving it, without a direction and without a spread.

import { type CostLine, type PriceTerms, assetOf, fraction, rate, zero } from '@kurs/money';
import type { Carried } from '../known/known.ts';
import { ownLineOf, railCostOf } from '../known/rail-costs.ts';
import { sweepCostIn } from './make-price.ts';
import { knownNow } from './price-now.ts';
import { costInUnit } from './units.ts';

const [NOTHING, WHOLE] = [fraction(0n, 1n), fraction(1n, 1n)];

/**
 * Returns the terms of receiving a currency: the rate is 1, and the only lines are the provider's charge and the cost of
 * collecting the payment. `isWallet`: true for money that comes from a wallet here, which costs nothing. Undefined while a cost
 * or a rate is unknown.
 */
export function receivingTerms(code: string, isWallet = false): PriceTerms | undefined {
  const info = knownNow().carried.get(code);
  const costs = info && (isWallet ? [] : receivingCosts(info));
  if (!info || !costs) return undefined;
  const { unit, payDigits } = info;
  const one = rate(assetOf(unit), assetOf(unit), WHOLE);
  return {
    ...{ giveUnit: unit, getUnit: unit, giveDigits: payDigits, getDigits: payDigits, rate: one, mid: one },
    spread: [{ from: zero(unit), percent: NOTHING }],
    ...{ minFee: zero(unit), costs, discounts: [] },
    minMargin: { percent: NOTHING, min: zero(unit), afterRewards: WHOLE },
  };
}

function receivingCosts(info: Carried): CostLine[] | undefined {
  const known = knownNow();
  const { snapshot, view } = known;
  const sweep = sweepCostIn(known, info);
  const needed = [info.unit, ...(sweep && sweep !== 'unknown' ? [sweep.fuel] : [])];
  if (!snapshot || sweep === 'unknown' || needed.some((unit) => !snapshot.body.assets[assetOf(unit)])) return undefined;
  const charge = railCostOf(view.railCosts, info.code, 'payin');
  return [
    ...(charge ? [ownLineOf(charge, info.unit)] : []),
    ...(sweep ? [{ code: 'sweep', fixed: costInUnit(sweep, snapshot, info) }] : []),
  ];
}
