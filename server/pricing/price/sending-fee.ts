import { type Money, add, assetOf, lineAmount, money, zero } from '@kurs/money';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest } from '../../rates/index.ts';
import { ownLineOf, railCostOf } from '../known/rail-costs.ts';
import type { NetworkCost } from '../directions/store.ts';
import { costInUnit } from './units.ts';
import { currentView } from '../known/view.ts';

/** What sending out of a wallet costs, and the least that is worth sending, in the currency's unit. */
export interface SendingTerms {
  readonly fee: Money;
  readonly smallest: Money;
}

/**
 * What the rail's network and its provider take when a sum leaves by a currency, rounded up: as own
 * costs, nothing on top. `leaving` is the sum with its fee, `cost` what sending to the very account costs, where that is
 * known. Undefined where the currency can't be sent, or while what that costs isn't known.
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
  // What arrives is no dust, and costs less than it is.
  return { fee, smallest: add(add(fee, fee), money(info.unit, info.dust)) };
}
