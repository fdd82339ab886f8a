import { type ProviderModule, type ProviderContext, healthBy } from '../provider/index.ts';
import type { Rail, RailBalance, RailCurrency } from '../rail.ts';
import { WebMoneyApi } from './api.ts';
import { SCALE, type WebMoneyCurrency, type WebMoneySettings, currenciesOf, settings } from './config.ts';
import { FIELD, payinOf } from './payin.ts';
import { payoutOf } from './payout.ts';

/**
 * The rail of WebMoney, with purses in dollars (WMZ) and euros (WME).
 *
 * - **Purse**: a letter and twelve digits. **WMID**: twelve digits that name an owner of purses; nobody can pay to it.
 * - **Number**: our reference of a payment, an integer that WebMoney calls `LMI_PAYMENT_NO`.
 * - **Tranid**: our number of a transfer, which WebMoney accepts once.
 */
export const provider: ProviderModule<typeof settings> = { settings, open: webMoneyRail };

function webMoneyRail(given: WebMoneySettings, context: ProviderContext): Rail {
  const currencies = currenciesOf(given);
  const api = new WebMoneyApi(given);
  const reserve = (): Promise<RailBalance[]> => balancesOf(currencies, api);
  return {
    id: 'webmoney',
    kind: 'provider',
    currencies: currencies.map(railCurrency),
    ownAccount: (currency) => currencies.find(({ code }) => code === currency)?.purse,
    forms: [given.merchant],
    payin: payinOf(given, context, currencies),
    payout: payoutOf(currencies, api),
    reserve,
    health: () => healthBy(reserve),
    close: async () => {},
  };
}

function railCurrency({ code }: WebMoneyCurrency): RailCurrency {
  return {
    code,
    unit: code,
    railScale: SCALE,
    payDigits: SCALE,
    network: 'WebMoney',
    fields: [{ name: FIELD, label: 'accounts.account', type: 'text', required: true }],
    payerFields: [],
    dust: 1n,
    fuel: code,
    arrivesAt: 'hot',
  };
}

async function balancesOf(currencies: readonly WebMoneyCurrency[], api: WebMoneyApi): Promise<RailBalance[]> {
  const balances: RailBalance[] = [];
  for (const currency of currencies) {
    const parts = await api.balance(currency);
    balances.push({ currency: currency.code, place: 'hot', parts, payable: parts });
  }
  return balances;
}
