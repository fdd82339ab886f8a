/**
 * PayPal: orders that are captured, refunds of captures, payouts to an e-mail address, signed messages.
 *
 * - **Order**: PayPal's payment page for one reference; it carries our reference. Approved isn't paid.
 * - **Capture**: the money. Only a capture that was read back and is `COMPLETED` counts.
 * - **Batch**: a payout of one item under our own id, which PayPal takes once in 30 days.
 * - **Message**: what PayPal posts to us. A hint, proved by asking PayPal or by its signature.
 */
import { parse } from '@kurs/money';
import type { Rail, RailBalance, RailCurrency, RailHealth } from '../rail.ts';
import { type ProviderModule, type ProviderContext, healthBy } from '../provider/index.ts';
import { CURRENCIES } from './amounts.ts';
import { readBalances } from './balances.ts';
import { openCertificates } from './certificates.ts';
import { type PayPal, openPayPal } from './client.ts';
import { type PayPalSettings, settings } from './config.ts';
import { paypalPayin } from './payin.ts';
import { paypalPayout } from './payout.ts';
import * as shapes from './shapes.ts';
import { openWebhooks } from './webhooks.ts';

export const provider: ProviderModule<typeof settings> = { settings, open: paypalRail };

/** The rail of one PayPal account. Asks nothing until it is asked something. */
export function paypalRail(config: PayPalSettings, context: ProviderContext): Rail & Required<Pick<Rail, 'payin' | 'payout'>> {
  const paypal = openPayPal(config);
  const reserve = (): Promise<RailBalance[]> => readBalances(paypal);
  return {
    id: 'paypal',
    kind: 'provider',
    currencies: CURRENCIES.map(describe),
    ownAccount: () => config.merchantId,
    payin: {
      ...paypalPayin(paypal, config, context),
      check: openWebhooks(paypal, config, openCertificates(config.certificates)),
    },
    payout: paypalPayout(paypal, config, reserve),
    reserve,
    health: () => health(paypal, config, context.webhookUrl),
    close: async () => {},
  };
}

function describe(code: string): RailCurrency {
  return {
    code,
    unit: code,
    railScale: 2,
    payDigits: 2,
    network: 'PayPal',
    fields: [{ name: 'email', label: 'accounts.email', type: 'email', required: true }],
    payerFields: [],
    dust: parse(code, '1.00').parts,
    fuel: code,
    arrivesAt: 'hot',
  };
}

/** Whether PayPal knows us, and our webhook under the address that messages come to. */
function health(paypal: PayPal, { webhookId }: PayPalSettings, webhookUrl: string): Promise<RailHealth> {
  return healthBy(async () => {
    const list = await paypal.read('/v1/notifications/webhooks', shapes.webhooks);
    const ours = list?.webhooks.find(({ id }) => id === webhookId);
    if (!ours) return 'PayPal answers; it has no webhook of the id in the settings';
    return ours.url === webhookUrl ? 'PayPal answers' : 'PayPal answers; its webhook has another address';
  });
}
