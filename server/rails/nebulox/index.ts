/**
 * Nebulox: a hosted gateway that receives coins for us. Its documents have neither payouts nor balances. So its holdings are a claim
 * that the operator withdraws by hand, and no refund goes through it.
 *
 * - **Invoice**: one payment at Nebulox, with its own page and tracking code.
 *
 * Sources: docs.nebulox.io and Nebulox's plugin for WooCommerce, without the plugin's faults. Not tested with a live gateway.
 */
import { type ProviderModule, healthBy } from '../provider/index.ts';
import type { Rail, RailCurrency, RailHealth } from '../rail.ts';
import { type NebuloxClient, NebuloxRefusal, nebuloxClient } from './client.ts';
import { COINS, type Coin, type NebuloxSettings, SCALE, settings } from './config.ts';
import { nebuloxPayin } from './payin.ts';
import { z } from 'zod';

export const provider: ProviderModule<typeof settings> = {
  settings,
  open: (said: NebuloxSettings, context): Rail => {
    const client = nebuloxClient(said);
    return {
      id: 'nebulox',
      kind: 'provider',
      currencies: COINS.map(railCurrency),
      payin: nebuloxPayin(said, client, context),
      // The API has no balances: the rail reports no holdings there, and none are payable.
      reserve: async () => [],
      health: () => healthOf(client),
      close: async () => {},
    };
  },
};

/** Looks up an invoice that can't exist. A refusal proves a working gateway, except those about our key or gateway: 401, 403, 406. */
function healthOf(client: NebuloxClient): Promise<RailHealth> {
  return healthBy(async () => {
    try {
      await client.call('invoice/verify', { trackingCode: '00000000-0000-4000-8000-000000000000' }, z.unknown());
    } catch (error) {
      if (!(error instanceof NebuloxRefusal) || /^40[136]\b/.test(error.message)) throw error;
    }
  });
}

/** Describes a coin as a currency. Its network's name ends with the coin's network, which customers know. */
const railCurrency = ({ code, network, dust }: Coin): RailCurrency => ({
  code,
  unit: code,
  railScale: SCALE,
  payDigits: SCALE,
  network: `Nebulox · ${network}`,
  fields: [{ name: 'address', label: 'accounts.address', type: 'address', required: true }],
  dust,
  fuel: code,
  arrivesAt: 'hot',
});
