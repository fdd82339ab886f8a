import type { Routes } from '@kurs/contract';
import type { Work } from '../platform/index.ts';
import { rateHistory } from './feed/rate-history.ts';
import { currenciesWire, gatewaysWire } from './quotes/wire.ts';

type RouteName = 'currencies' | 'rateHistory' | 'gateways';

/**
 * Handlers of the room's routes, by the routes' names in the contract. Only `rateHistory` reads the database, at most once a
 * minute per pair.
 */
export const pricingRoutes: { [N in RouteName]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  rateHistory: ({ from, to }, { db }) => rateHistory(db, from, to),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
