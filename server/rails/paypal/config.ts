import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ });
const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/);
const sum = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/);

/**
 * What an operator says of their PayPal account. Addresses are PayPal's live ones unless they say others; for PayPal's own
 * sandbox they are `https://api-m.sandbox.paypal.com` and `https://api.sandbox.paypal.com/v1/notifications/certs/`.
 */
export const settings = z.strictObject({
  api: url.default('https://api-m.paypal.com'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** The account that is paid, as PayPal names it (13 characters): an order for another isn't ours. */
  merchantId: z.string().regex(/^[2-9A-HJ-NP-Z]{13}$/),
  /** The webhook that PayPal gave when our address for messages was entered. */
  webhookId: z.string().regex(/^[A-Za-z0-9]{1,50}$/),
  /** How a message is proved: PayPal is asked, or its signature is checked here with PayPal's certificate. */
  proof: z.enum(['online', 'offline']).default('online'),
  certificates: z
    .strictObject({
      /** What a certificate's address begins with; another is never fetched. */
      from: z.array(url).min(1).default(['https://api.paypal.com/v1/notifications/certs/']),
      name: z.string().min(1).default('messageverificationcerts.paypal.com'),
      /** PEM of the authorities that it must come from; without it, those that Node trusts. */
      roots: z.array(z.string()).optional(),
    })
    .prefault({}),
  /**
   * Only money that is there at once: no eChecks, whose days until they arrive or bounce the payer would get for free. PayPal
   * may still hold a payment for review.
   */
  immediate: z.boolean().default(true),
  /** Shown on PayPal's page and in its mails. */
  brand: z.string().min(1).max(127).default('Kurs'),
  /** PayPal's fee for a payout, paid by the sender: a share with a cap, which depends on the country. */
  payoutFee: z.strictObject({ percent: percent.default('2'), most: sum.default('20.00') }).prefault({}),
});

export type PayPalSettings = z.output<typeof settings>;
