/**
 * Nebulox: a hosted gateway that takes coins for us. It only takes: no payout and no balance is documented, so what it holds is
 * a claim that the operator withdraws by hand, and nothing is sent back through it.
 *
 * - **Invoice**: one payment at Nebulox, with a page of its own and a tracking code.
 *
 * Sources: docs.nebulox.io and Nebulox's plugin for WooCommerce, without the plugin's faults. No live gateway was asked.
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
      // No balance can be asked for: nothing is claimed of what lies there, and none of it is payable.
      reserve: async () => [],
      health: () => healthOf(client),
      close: async () => {},
    };
  },
};

/** Looks an invoice up that can't be. Any "no" will do but those that mean our gateway: 401, 403, 406. */
function healthOf(client: NebuloxClient): Promise<RailHealth> {
  return healthBy(async () => {
    try {
      await client.call('invoice/verify', { trackingCode: '00000000-0000-4000-8000-000000000000' }, z.unknown());
    } catch (error) {
      if (!(error instanceof NebuloxRefusal) || /^40[136]\b/.test(error.message)) throw error;
    }
  });
}

/** A coin, whose network stands last: by that customers know it. */
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
