import { z } from 'zod';
import { field } from '../provider/index.ts';

const url = z.url({ protocol: /^https?$/ });
const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/);
const sum = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/);

/**
 * The operator's settings of their PayPal account. URLs default to PayPal's live ones. Those of PayPal's sandbox are
 * `https://api-m.sandbox.paypal.com` and `https://api.sandbox.paypal.com/v1/notifications/certs/`.
 */
export const settings = z.strictObject({
  api: field(url.default('https://api-m.paypal.com'), {
    description: 'the URL of the API',
    where: 'change it only for tests',
  }),
  clientId: field(z.string().min(1), {
    description: 'the client id of your app',
    where: 'developer.paypal.com: Apps & Credentials, Live',
    example: 'client-id',
  }),
  clientSecret: field(z.string().min(1), {
    description: 'the secret of your app',
    where: 'developer.paypal.com: Apps & Credentials, Live',
    example: 'client-secret',
  }),
  /** Orders that pay another account are ignored. */
  merchantId: field(z.string().regex(/^[2-9A-HJ-NP-Z]{13}$/), {
    description: 'the merchant id of the account that is paid, 13 letters and digits',
    where: 'PayPal: Account Settings, Business information',
    example: 'ABCDEFGHJKLMN',
  }),
  webhookId: field(z.string().regex(/^[A-Za-z0-9]{1,50}$/), {
    description: 'the id of the webhook',
    where: 'developer.paypal.com: your app, Webhooks, once you have entered our URL for messages',
    example: '1AB23456CD789012E',
  }),
  proof: field(z.enum(['online', 'offline']).default('online'), {
    description: 'proof of a message: by a query to PayPal (online), or by its signature with PayPal’s certificate (offline)',
    where: 'choose it',
  }),
  certificates: z
    .strictObject({
      from: field(z.array(url).min(1).default(['https://api.paypal.com/v1/notifications/certs/']), {
        description: 'beginnings of the URLs of certificates; no other certificate is fetched',
        where: 'change it only for tests',
      }),
      name: field(z.string().min(1).default('messageverificationcerts.paypal.com'), {
        description: 'the name in PayPal’s certificate',
        where: 'change it only for tests',
      }),
      roots: field(z.array(z.string()).optional(), {
        description: 'PEM of the authorities that must have issued the certificate; by default those that Node trusts',
        where: 'set it only for tests',
      }),
    })
    .prefault({}),
  /**
   * True if only immediate payments are taken. An eCheck takes days to arrive or bounce, while the payer's rate would stay
   * fixed. PayPal may still hold an immediate payment for review.
   */
  immediate: field(z.boolean().default(true), {
    description: 'true to take only immediate payments, and no eChecks',
    where: 'choose it',
  }),
  brand: field(z.string().min(1).max(127).default('Kurs'), {
    description: 'your name on PayPal’s page and in its e-mails',
    where: 'choose it',
  }),
  payoutFee: z
    .strictObject({
      percent: field(percent.default('2'), {
        description: 'PayPal’s fee for a payout, in percent, which the sender pays',
        where: 'PayPal: fees of your country',
      }),
      max: field(sum.default('20.00'), {
        description: 'PayPal’s highest fee for one payout',
        where: 'PayPal: fees of your country',
      }),
    })
    .prefault({}),
});

export type PayPalSettings = z.output<typeof settings>;
