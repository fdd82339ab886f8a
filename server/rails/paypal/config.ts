import { z } from 'zod';
import { field } from '../provider/index.ts';

const url = z.url({ protocol: /^https?$/ });
const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/);
const sum = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/);

/**
 * What an operator says of their PayPal account. Addresses are PayPal's live ones unless they say others; for PayPal's own
 * sandbox they are `https://api-m.sandbox.paypal.com` and `https://api.sandbox.paypal.com/v1/notifications/certs/`.
 */
export const settings = z.strictObject({
  api: field(url.default('https://api-m.paypal.com'), {
    description: 'the address of the API',
    where: 'another only for tests',
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
  /** An order for another account isn't ours. */
  merchantId: field(z.string().regex(/^[2-9A-HJ-NP-Z]{13}$/), {
    description: 'the merchant id of the account that is paid, 13 letters and digits',
    where: 'PayPal: Account Settings, Business information',
    example: 'ABCDEFGHJKLMN',
  }),
  webhookId: field(z.string().regex(/^[A-Za-z0-9]{1,50}$/), {
    description: 'the id of the webhook',
    where: 'developer.paypal.com: your app, Webhooks, once our address for messages is entered',
    example: '1AB23456CD789012E',
  }),
  proof: field(z.enum(['online', 'offline']).default('online'), {
    description:
      'how a message is proved: PayPal is asked (online), or its signature is checked here with PayPal’s certificate (offline)',
    where: 'choose it',
  }),
  certificates: z
    .strictObject({
      from: field(z.array(url).min(1).default(['https://api.paypal.com/v1/notifications/certs/']), {
        description: 'what a certificate’s address begins with; another is never fetched',
        where: 'another only for tests',
      }),
      name: field(z.string().min(1).default('messageverificationcerts.paypal.com'), {
        description: 'the name in PayPal’s certificate',
        where: 'another only for tests',
      }),
      roots: field(z.array(z.string()).optional(), {
        description: 'PEM of the authorities that the certificate must come from; without it, those that Node trusts',
        where: 'only for tests',
      }),
    })
    .prefault({}),
  /**
   * Only money that is there at once: no eChecks, whose days until they arrive or bounce the payer would get for free. PayPal
   * may still hold a payment for review.
   */
  immediate: field(z.boolean().default(true), {
    description: 'whether only money is taken that is there at once, and no eChecks',
    where: 'choose it',
  }),
  brand: field(z.string().min(1).max(127).default('Kurs'), {
    description: 'the name on PayPal’s page and in its mails',
    where: 'choose it',
  }),
  payoutFee: z
    .strictObject({
      percent: field(percent.default('2'), {
        description: 'percent that PayPal takes of a payout from the sender',
        where: 'PayPal: fees of your country',
      }),
      max: field(sum.default('20.00'), { description: 'the most that it takes of one', where: 'PayPal: fees of your country' }),
    })
    .prefault({}),
});

export type PayPalSettings = z.output<typeof settings>;
