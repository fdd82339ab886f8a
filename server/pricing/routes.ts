import type { Routes } from '@kurs/contract';
import { type Level, levelOf } from '../compliance/index.ts';
import type { Context, Work } from '../platform/index.ts';
import { quote } from './quotes/quote.ts';
import { rateHistory } from './feed/rate-history.ts';
import { currenciesWire, directionsWire, gatewaysWire, quoteWire } from './quotes/wire.ts';

type Names = 'currencies' | 'directions' | 'rateHistory' | 'calculate' | 'gateways';

/** What may be exchanged by the caller. */
const levelFor = ({ db, user }: Context): Promise<Level> | Level => (user ? levelOf(db, user.email) : 0);

/**
 * The room's calls by their names in the contract. None of them asks the database but the history, once a minute, and
 * what account holders ask, for their level.
 */
export const pricingRoutes: { [N in Names]: Work<Routes[N]> } = {
  currencies: async (_input, { locale }) => currenciesWire(locale),
  directions: async (input, context) => directionsWire(input, { level: await levelFor(context), wallet: input.wallet }),
  rateHistory: ({ from, to }, { db }) => rateHistory(db, from, to),
  calculate: async (input, context) => quoteWire(quote(input, { level: await levelFor(context), wallet: input.wallet })),
  gateways: async ({ currency }) => gatewaysWire(currency),
};
