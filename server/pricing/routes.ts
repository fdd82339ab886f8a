import type { Routes } from '@kurs/contract';
import type { Work } from '../platform/index.ts';
import { quote } from './quote.ts';
import { currenciesWire, directionsWire, gatewaysWire, quoteWire } from './wire.ts';

type Names = 'currencies' | 'directions' | 'calculate' | 'gateways';

/** The room's calls by their names in the contract. None of them asks the database. */
export const pricingRoutes: { [N in Names]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  directions: async (input) => directionsWire(input),
  calculate: async (input) => quoteWire(quote(input)),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
