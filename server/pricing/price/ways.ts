import { assetOf, format } from '@kurs/money';
import { canSend, currencyOf } from '../../payments/index.ts';
import { latest } from '../../rates/index.ts';
import { type CostSide, railCostOf } from '../known/rail-costs.ts';
import { costInUnit } from './units.ts';
import { currentView } from '../known/view.ts';

/** A provider's charge for a payment: a percentage, a fixed sum, and bounds of the charge. Sums are decimals in the currency's own unit. */
export interface OwnCost {
  readonly percent?: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly cap?: string;
}

/** Returns the provider's charge for payments that arrive or leave by a currency; empty if there is none. */
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
 * Returns the current cost of sending by a currency, for showing it before a customer names an account. `network`: the network's
 * part, a decimal; the other fields are the provider's charge. Undefined while the currency can't be sent.
 */
export function sendingCost(code: string): (OwnCost & { readonly network: string }) | undefined {
  const [info, snapshot] = [currencyOf(code), latest()];
  const network = currentView().networkCosts.get(code);
  if (!info || !snapshot || !network || !canSend(code)) return undefined;
  if ([info.unit, network.fuel].some((unit) => !snapshot.body.assets[assetOf(unit)])) return undefined;
  const sum = costInUnit(network, snapshot, info);
  return { network: format(sum), ...ownCost(code, 'payout') };
}
