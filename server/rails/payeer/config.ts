import { z } from 'zod';

/**
 * A Payeer account as people write it. An e-mail stands for an account there too, and is none of ours: an unknown one registers
 * a new account.
 */
export const FORM = { letter: 'P', least: 7, most: 12 } as const;
export const ACCOUNT = new RegExp(`^${FORM.letter}\\d{${FORM.least},${FORM.most}}$`);

const web = z.url({ protocol: /^https?$/ });

/** What an operator says of their Payeer account: the shop (merchant) for what is received, the API user for the rest. */
export const settings = z.strictObject({
  /** Where a customer's browser posts the signed form. */
  merchantUrl: web.default('https://payeer.com/merchant/'),
  /** The API; it answers only callers whose address the account's owner has entered. */
  apiUrl: web.default('https://payeer.com/ajax/api/api.php'),
  account: z.string().regex(ACCOUNT, 'an account like P1000000'),
  apiId: z.string().regex(/^\d{1,20}$/, 'digits'),
  apiPass: z.string().min(1),
  /** The shop's number (`m_shop`) and its secret key, which signs forms and messages. */
  shop: z.string().regex(/^\d{1,20}$/, 'digits'),
  secret: z.string().min(1),
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
