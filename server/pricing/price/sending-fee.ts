import { type Money, add, assetOf, lineAmount, money, zero } from '@kurs/money';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest } from '../../rates/index.ts';
import { ownLineOf, railCostOf } from '../known/rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';
import { costInUnit } from './units.ts';
import { currentView } from '../known/view.ts';

/** Cost of sending from a wallet, and the smallest sum worth sending, in the currency's unit. */
export interface SendingTerms {
  readonly fee: Money;
  readonly smallest: Money;
}

/**
 * Returns the charges of the rail's network and provider for a sum that leaves by a currency, rounded up: the actual costs, with
 * nothing added. `leaving` is the sum with its fee; `cost` is the cost of sending to the customer's own account, if known.
 * Undefined if the currency can't be sent, or while its cost is unknown.
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
  // The amount that arrives must exceed both the dust limit and its cost.
  return { fee, smallest: add(add(fee, fee), money(info.unit, info.dust)) };
}
