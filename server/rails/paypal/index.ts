/**
 * The rail of PayPal: captured orders, refunds of captures, payouts to an e-mail address, signed messages.
 *
 * - **Order**: PayPal's payment page for one of our references, which it contains. An approved order isn't paid.
 * - **Capture**: the payment. It counts only once it was read back from PayPal as `COMPLETED`.
 * - **Batch**: a payout of one item under our own id, which PayPal accepts once in 30 days.
 * - **Message**: a webhook from PayPal. It is a hint, proved by a query to PayPal or by its signature.
 */
import { parse } from '@kurs/money';
import { monotonicMs } from '../../platform/index.ts';
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
import { NO_DISPUTES, mayListDisputes } from './refunds.ts';
import { openWebhooks } from './webhooks.ts';

export const provider: ProviderModule<typeof settings> = { settings, open: paypalRail };

/** Opens the rail of one PayPal account, without a call yet. */
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
    health: healthOf(paypal, config, context.webhookUrl),
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

/** Time in ms for which an answer counts about the right to list disputes: while PayPal grants it, and while it doesn't. */
const GRANTED_MS = 3_600_000;
const REFUSED_MS = 60_000;

/**
 * Returns the check that PayPal accepts our keys, knows our webhook by its id and URL, and has granted the disputes API, which it
 * grants on request only.
 */
function healthOf(paypal: PayPal, { webhookId }: PayPalSettings, webhookUrl: string): () => Promise<RailHealth> {
  let known: { readonly isGranted: boolean; readonly until: number } | undefined;
  async function hasDisputes(): Promise<boolean> {
    if (known && monotonicMs() < known.until) return known.isGranted;
    const isGranted = await mayListDisputes(paypal);
    // PayPal works without an answer about disputes.
    if (isGranted === undefined) return known?.isGranted ?? true;
    known = { isGranted, until: monotonicMs() + (isGranted ? GRANTED_MS : REFUSED_MS) };
    return isGranted;
  }
  return () =>
    healthBy(async () => {
      const list = await paypal.read('/v1/notifications/webhooks', shapes.webhooks);
      const ours = list?.webhooks.find(({ id }) => id === webhookId);
      const detail = !ours
        ? 'PayPal answers; it has no webhook of the id in the settings'
        : ours.url === webhookUrl
          ? 'PayPal answers'
          : 'PayPal answers; its webhook has another address';
      return { detail, ...(!(await hasDisputes()) && { lacks: NO_DISPUTES }) };
    });
}
