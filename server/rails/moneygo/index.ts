import { type ProviderModule, type ProviderContext, Unreachable, healthBy } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import type { Rail, RailBalance, RailCurrency } from '../rail.ts';
import { MoneyGoApi } from './api.ts';
import { type MoneyGoCurrency, type MoneyGoSettings, SCALE, currenciesOf, settings } from './config.ts';
import { FIELD, payinOf } from './payin.ts';
import { payoutOf } from './payout.ts';

/**
 * MoneyGo: wallets in dollars, euros and roubles, named by a letter and digits.
 *
 * - **Checkout**: a payment's page, requested with the payer's wallet.
 * - **Reference**: our name of a payment or a send, which the service calls `id`, `payment_id` and `external_id`.
 */
export const provider: ProviderModule<typeof settings> = { settings, open: moneyGoRail };

function moneyGoRail(given: MoneyGoSettings, context: ProviderContext): Rail {
  const currencies = currenciesOf(given);
  const api = new MoneyGoApi(given);
  const reserve = (): Promise<RailBalance[]> => balancesOf(currencies, api);
  return {
    id: 'moneygo',
    kind: 'provider',
    currencies: currencies.map(railCurrency),
    ownAccount: (currency) => currencies.find(({ code }) => code === currency)?.wallet,
    payin: payinOf(context, currencies, api),
    payout: payoutOf(currencies, api),
    reserve,
    health: () => healthBy(reserve),
    close: async () => {},
  };
}

function railCurrency({ code }: MoneyGoCurrency): RailCurrency {
  const fields = [{ name: FIELD, label: 'accounts.account', type: 'text', required: true }] as const;
  return {
    code,
    unit: code,
    railScale: SCALE,
    payDigits: SCALE,
    network: 'MoneyGo',
    fields,
    payerFields: fields,
    dust: 1n,
    fuel: code,
    arrivesAt: 'hot',
  };
}

async function balancesOf(currencies: readonly MoneyGoCurrency[], api: MoneyGoApi): Promise<RailBalance[]> {
  const wallets = await api.wallets();
  return currencies.map(({ code, wallet }) => {
    const held = wallets.get(wallet);
    if (!held) throw new Unreachable(`${code}: our wallet is not among the account's`);
    return { currency: code, place: 'hot', parts: partsRead(held.amount, SCALE), payable: partsRead(held.active, SCALE) };
  });
}
