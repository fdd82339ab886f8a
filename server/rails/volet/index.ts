import { type ProviderModule, type ProviderContext, Unreachable, healthBy } from '../provider/index.ts';
import type { Rail, RailBalance, RailCurrency } from '../rail.ts';
import { VoletApi } from './api.ts';
import { type VoletCurrency, type VoletSettings, SCALE, currenciesOf, settings } from './config.ts';
import { FIELD, payinOf } from './payin.ts';
import { payoutOf } from './payout.ts';

/**
 * Volet (formerly AdvCash): wallets in dollars, euros and roubles.
 *
 * - **SCI**: the payment form for shops. We sign the form, and Volet signs its messages.
 * - **Note**: our reference of a send. The history calls it the comment.
 */
export const provider: ProviderModule<typeof settings> = { settings, open: voletRail };

function voletRail(given: VoletSettings, context: ProviderContext): Rail {
  const currencies = currenciesOf(given);
  const api = new VoletApi(given);
  const reserve = (): Promise<RailBalance[]> => balancesOf(currencies, api);
  return {
    id: 'volet',
    kind: 'provider',
    currencies: currencies.map(railCurrency),
    ownAccount: (currency) => currencies.find(({ code }) => code === currency)?.wallet,
    forms: [given.sci],
    payin: payinOf(given, context, currencies, api),
    payout: payoutOf(currencies, api),
    reserve,
    health: () => healthBy(reserve),
    close: async () => {},
  };
}

function railCurrency({ code }: VoletCurrency): RailCurrency {
  return {
    code,
    unit: code,
    railScale: SCALE,
    payDigits: SCALE,
    network: 'Volet',
    fields: [{ name: FIELD, label: 'accounts.account', type: 'text', required: true }],
    payerFields: [],
    dust: 1n,
    fuel: code,
    arrivesAt: 'hot',
  };
}

async function balancesOf(currencies: readonly VoletCurrency[], api: VoletApi): Promise<RailBalance[]> {
  const balances = await api.balances();
  return currencies.map(({ code, wallet }) => {
    const parts = balances.get(wallet);
    if (parts === undefined) throw new Unreachable(`${code}: our wallet is not among the account's`);
    return { currency: code, place: 'hot', parts, payable: parts };
  });
}
