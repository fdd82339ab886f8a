import type { Routes } from '@kurs/contract';
import type { Work } from '../platform/index.ts';
import { quote } from './quote.ts';
import { rateHistory } from './rate-history.ts';
import { currenciesWire, directionsWire, gatewaysWire, quoteWire } from './wire.ts';

type Names = 'currencies' | 'directions' | 'rateHistory' | 'calculate' | 'gateways';

/** The room's calls by their names in the contract. None of them asks the database but the history, once a minute. */
export const pricingRoutes: { [N in Names]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  directions: async (input) => directionsWire(input),
  rateHistory: ({ from, to }, { db }) => rateHistory(db, from, to),
  calculate: async (input) => quoteWire(quote(input, { wallet: input.wallet })),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
