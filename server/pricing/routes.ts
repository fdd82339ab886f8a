import type { Routes } from '@kurs/contract';
import { levelOf } from '../compliance/index.ts';
import { holderLoyalty } from '../loyalty/index.ts';
import type { Context, Work } from '../platform/index.ts';
import { type PriceContext, loyaltyDiscount } from './price/context.ts';
import { rateHistory } from './feed/rate-history.ts';
import { currenciesWire, directionsWire, gatewaysWire } from './quotes/wire.ts';

type Names = 'currencies' | 'directions' | 'rateHistory' | 'gateways';

/** For whom a caller's prices are: what they may exchange, and what they are let off by loyalty. */
export async function callerContext({
  db,
  user,
}: Pick<Context, 'db' | 'user'>): Promise<Pick<PriceContext, 'level' | 'discounts'>> {
  if (!user) return {};
  const [level, loyalty] = await Promise.all([levelOf(db, user.email), holderLoyalty(db, user)]);
  return { level, discounts: loyaltyDiscount(loyalty) };
}

/**
 * The room's calls by their names in the contract. None of them asks the database but the history, once a minute, and
 * what account holders ask, for their level and loyalty.
 */
export const pricingRoutes: { [N in Names]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  directions: async (input, context) => directionsWire(input, { ...(await callerContext(context)), wallet: input.wallet }),
  rateHistory: ({ from, to }, { db }) => rateHistory(db, from, to),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
