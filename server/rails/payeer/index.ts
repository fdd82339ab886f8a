/**
 * Payeer: an e-wallet. A customer pays by a signed form on Payeer's page; we pay by transfers between accounts.
 *
 * - **Shop**: takes payments at Payeer, with its own secret. **Message**: Payeer's webhook about a payment.
 * - **API user**: looks up and transfers. Payeer answers it only at IP addresses that the account's owner has allowed.
 *
 * Sources: Payeer's own documents (github.com/payeer/docs, rest-api) for the API; its modules for shops for forms and
 * messages. No live account was used.
 */
import { type ProviderModule, healthBy } from '../provider/index.ts';
import type { Rail, RailCurrency } from '../rail.ts';
import { balances } from './balance.ts';
import { payeerClient } from './client.ts';
import { CURRENCIES, type PayeerSettings, settings } from './config.ts';
import { payeerPayin } from './payin.ts';
import { payeerPayout } from './payout.ts';

export const provider: ProviderModule<typeof settings> = {
  settings,
  open: (said: PayeerSettings, context): Rail => {
    const client = payeerClient(said);
    return {
      id: 'payeer',
      kind: 'provider',
      currencies: [...CURRENCIES.keys()].map(railCurrency),
      ownAccount: () => said.account,
      forms: [said.merchantUrl],
      payin: payeerPayin(said, client, context),
      payout: payeerPayout(said, client),
      reserve: async () => {
        const held = await balances(client);
        const none = { parts: 0n, payable: 0n };
        return [...CURRENCIES].map(([currency, name]) => ({ currency, place: 'hot', ...(held.get(name) ?? none) }));
      },
      health: () => healthBy(() => balances(client)),
      close: async () => {},
    };
  },
};

const railCurrency = (code: string): RailCurrency => ({
  code,
  unit: code,
  railScale: 2,
  payDigits: 2,
  network: 'Payeer',
  fields: [{ name: 'account', label: 'accounts.account', type: 'text', required: true, pattern: '^[Pp]\\d{7,12}$' }],
  payerFields: [],
  dust: 1n,
  fuel: code,
  arrivesAt: 'hot',
});
