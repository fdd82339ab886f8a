import { type Money, add, assetOf, lineAmount, money, zero } from '@kurs/money';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest } from '../../rates/index.ts';
import { ownLineOf, railCostOf } from '../known/rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';
import { costInUnit } from './units.ts';
import { currentView } from '../known/view.ts';

/** Terms of sending money out of a wallet, in the currency's unit. `fee`: cost of sending. `smallest`: smallest sum that may leave. */
export interface SendingTerms {
  readonly fee: Money;
  readonly smallest: Money;
}

/**
 * Returns the terms of sending a sum by a currency. The fee is what the rail's network and provider charge, rounded up, with
 * nothing added. `leaving`: the sum including the fee. `cost`: cost of sending to the customer's own account, if known. Undefined
 * if the currency can't be sent, or while its cost is unknown.
 */
export function sendingTerms(code: string, leaving: Money, cost?: NetworkCost): SendingTerms | undefined {
  const [info, snapshot, view] = [currencyOf(code), latest(), currentView()];
  const network = cost ?? view.networkCosts.get(code);
  if (!info || !snapshot || !network || !canSend(code)) return undefined;
  if ([info.unit, network.fuel].some((unit) => !snapshot.body.assets[assetOf(unit)])) return undefined;
  const ofNetwork = costInUnit(network, snapshot, info);
  const line = railCostOf(view.railCosts, code, 'payout');
  const ofRail = line ? lineAmount(ownLineOf(line, info.unit), leaving, 'up') : zero(info.unit);
  const fee = add(ofNetwork, ofRail);
  // The amount that arrives must be worth at least the fee and the dust limit together.
  return { fee, smallest: add(add(fee, fee), money(info.unit, info.dust)) };
}
