import type { Routes } from '@kurs/contract';
import type { Work } from '../platform/index.ts';
import { rateHistory } from './feed/rate-history.ts';
import { currenciesWire, gatewaysWire } from './quotes/wire.ts';

type Names = 'currencies' | 'rateHistory' | 'gateways';

/** The room's calls by their names in the contract. None of them asks the database but the history, once a minute. */
export const pricingRoutes: { [N in Names]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  rateHistory: ({ from, to }, { db }) => rateHistory(db, from, to),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
