import { z } from 'zod';
import { field } from '../provider/index.ts';

/**
 * Form of a Payeer account. Payeer also accepts an e-mail as an account. We never do, because a payment to an unknown e-mail
 * registers a new account.
 */
export const FORM = { letter: 'P', min: 7, max: 12 } as const;
export const ACCOUNT = new RegExp(`^${FORM.letter}\\d{${FORM.min},${FORM.max}}$`);

const web = z.url({ protocol: /^https?$/ });

/** The operator's settings for Payeer: the shop (merchant) takes payments, the API user does everything else. */
export const settings = z.strictObject({
  merchantUrl: field(web.default('https://payeer.com/merchant/'), {
    description: 'the address to which a customer’s browser posts the signed form',
    where: 'change it only for tests',
  }),
  apiUrl: field(web.default('https://payeer.com/ajax/api/api.php'), {
    description: 'the address of the API, which answers only IP addresses that the account’s owner has allowed',
    where: 'change it only for tests',
  }),
  account: field(z.string().regex(ACCOUNT, 'an account like P1000000'), {
    description: 'the number of your account',
    where: 'Payeer: beside your name once you have signed in',
    example: 'P1000000',
  }),
  apiId: field(z.string().regex(/^\d{1,20}$/, 'digits'), {
    description: 'the number of the API user',
    where: 'Payeer: API, the list of users; allow the IP address of this server there',
    example: '10000001',
  }),
  apiPass: field(z.string().min(1), {
    description: 'the secret key of the API user',
    where: 'Payeer: API, shown when the user is created',
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

/** Decimal digits of every Payeer currency. */
export const SCALE = 2;

/** Our currencies, with Payeer's names for them. */
export const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['PAYEER_USD', 'USD'],
  ['PAYEER_EUR', 'EUR'],
  ['PAYEER_RUB', 'RUB'],
]);
