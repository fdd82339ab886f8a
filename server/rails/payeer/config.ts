import { z } from 'zod';
import { field } from '../provider/index.ts';

/**
 * A Payeer account as people write it. An e-mail stands for an account there too, and is none of ours: an unknown one registers
 * a new account.
 */
export const FORM = { letter: 'P', min: 7, max: 12 } as const;
export const ACCOUNT = new RegExp(`^${FORM.letter}\\d{${FORM.min},${FORM.max}}$`);

const web = z.url({ protocol: /^https?$/ });

/** What an operator says of their Payeer account: the shop (merchant) for what is received, the API user for the rest. */
export const settings = z.strictObject({
  merchantUrl: field(web.default('https://payeer.com/merchant/'), {
    description: 'where a customer’s browser posts the signed form',
    where: 'another only for tests',
  }),
  apiUrl: field(web.default('https://payeer.com/ajax/api/api.php'), {
    description: 'the address of the API, which answers only callers whose address the account’s owner has entered',
    where: 'another only for tests',
  }),
  account: field(z.string().regex(ACCOUNT, 'an account like P1000000'), {
    description: 'the number of your account',
    where: 'Payeer: beside your name once you have signed in',
    example: 'P1000000',
  }),
  apiId: field(z.string().regex(/^\d{1,20}$/, 'digits'), {
    description: 'the number of the API user',
    where: 'Payeer: API, the list of users; allow our address there',
    example: '10000001',
  }),
  apiPass: field(z.string().min(1), {
    description: 'the secret key of the API user',
    where: 'Payeer: API, shown as the user is made',
    example: 'the API user’s secret key',
  }),
  shop: field(z.string().regex(/^\d{1,20}$/, 'digits'), {
    description: 'the number of the shop (m_shop)',
    where: 'Payeer: Merchant, the list of shops',
    example: '100000001',
  }),
  secret: field(z.string().min(1), {
    description: 'the secret key of the shop, which signs forms and messages',
    where: 'Payeer: Merchant, the settings of the shop',
    example: 'the shop’s secret key',
  }),
});

export type PayeerSettings = z.output<typeof settings>;

/** Digits of all of them. */
export const SCALE = 2;

/** Our currencies, and what Payeer calls them. */
export const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['PAYEER_USD', 'USD'],
  ['PAYEER_EUR', 'EUR'],
  ['PAYEER_RUB', 'RUB'],
]);
