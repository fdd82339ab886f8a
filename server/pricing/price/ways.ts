import { assetOf, format } from '@kurs/money';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest } from '../../rates/index.ts';
import { type CostSide, railCostOf } from '../known/rail-costs.ts';
import { costInUnit } from './units.ts';
import { currentView } from '../known/view.ts';

/** What a rail's provider takes of a payment, as decimals of the currency's own unit. */
export interface OwnCost {
  readonly percent?: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly cap?: string;
}

/** What a provider takes of what comes by a currency, or leaves by it; nothing where nobody does. */
export function ownCost(code: string, side: CostSide): OwnCost {
  const line = railCostOf(currentView().railCosts, code, side);
  return {
    ...(line?.percent != null && { percent: line.percent }),
    ...(line?.fixed != null && { fixed: line.fixed }),
    ...(line?.min != null && { min: line.min }),
    ...(line?.cap != null && { cap: line.cap }),
  };
}

/**
 * What sending by a currency costs now, told before anybody has an account to send to: the network's part and its provider's,
 * as `sendingTerms` takes them. Undefined while none can be sent.
 */
export function sendingCost(code: string): (OwnCost & { readonly network: string }) | undefined {
  const [info, snapshot] = [currencyOf(code), latest()];
  const network = currentView().networkCosts.get(code);
  if (!info || !snapshot || !network || !canSend(code)) return undefined;
  if ([info.unit, network.fuel].some((unit) => !snapshot.body.assets[assetOf(unit)])) return undefined;
  const sum = costInUnit(network, snapshot, info);
  return { network: format(sum), ...ownCost(code, 'payout') };
}
