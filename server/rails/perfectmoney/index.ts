/**
 * The rail of Perfect Money's e-vouchers. A payout creates a voucher's number and code for the customer. For a pay-in the
 * customer enters a voucher, which is activated to our account.
 *
 * - **Voucher**: a number of 10 digits and a code of 16; anyone who has both has the money. Only activation shows its worth.
 * - **Batch**: Perfect Money's number of a movement.
 *
 * Sources: public integrations that contain the vendor's manual (evcsv, ev_create, ev_activate, ev_remove, historycsv). The
 * rail was never tested with a live account, and Perfect Money may have closed.
 */
import { type ProviderModule, healthBy } from '../provider/index.ts';
import type { Rail, RailCurrency } from '../rail.ts';
import { balances } from './balance.ts';
import { perfectMoneyClient } from './client.ts';
import { type PerfectMoneySettings, SCALE, accountOf, currenciesOf, settings } from './config.ts';
import { perfectMoneyPayin } from './payin.ts';
import { perfectMoneyPayout } from './payout.ts';

export const provider: ProviderModule<typeof settings> = {
  settings,
  open: (said: PerfectMoneySettings, context): Rail => {
    const client = perfectMoneyClient(said);
    const currencies = currenciesOf(said);
    return {
      id: 'perfectmoney',
      kind: 'provider',
      currencies: currencies.map(railCurrency),
      ownAccount: (currency) => accountOf(said, currency),
      payin: perfectMoneyPayin(said, client, context),
      payout: perfectMoneyPayout(said, client),
      reserve: async () => {
        const held = await balances(client);
        return currencies.map((currency) => {
          const cents = held.get(accountOf(said, currency) ?? '') ?? 0n;
          return { currency, place: 'hot', parts: cents, payable: cents };
        });
      },
      health: () => healthBy(() => balances(client)),
      close: async () => {},
    };
  },
};

const railCurrency = (code: string): RailCurrency => ({
  code,
  unit: code,
  railScale: SCALE,
  payDigits: SCALE,
  network: 'Perfect Money e-voucher',
  fields: [],
  payerFields: [],
  dust: 1n,
  fuel: code,
  arrivesAt: 'hot',
});
