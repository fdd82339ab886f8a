import { EMAIL } from '@kurs/contract';
import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(200);

/** A setting for the number of our wallet. It begins with its currency's letter: `U123456789012`. */
const wallet = (letter: string) =>
  field(z.string().regex(new RegExp(`^${letter}\\d{12}$`), `${letter} and twelve digits`), {
    description: `the number of your wallet, ${letter} and twelve digits; without it the currency is switched off`,
    where: 'Volet: the list of wallets',
    example: `${letter}123456789012`,
  });

/**
 * Settings of the operator's account at Volet. A currency without a wallet is switched off. The SCI and the API each have the
 * name and the password that they got in the account's developer settings.
 */
export const settings = z.strictObject({
  sci: field(z.url().default('https://account.volet.com/sci/'), {
    description: 'the address to which a customer’s browser posts the form',
    where: 'change it only for tests',
  }),
  /** Public client libraries use two paths: this one and `/wsm/apiWebService`. */
  api: field(z.url().default('https://account.volet.com/wsm/merchantWebService'), {
    description: 'the address of the SOAP service',
    where: 'change it only for tests',
  }),
  account: field(z.email({ pattern: EMAIL }).max(100), {
    description: 'the e-mail address with which you sign in to Volet',
    where: 'Volet: your profile',
    example: 'desk@example.org',
  }),
  sciName: field(z.string().min(1).max(100), {
    description: 'the name of the SCI (the payment form)',
    where: 'Volet: Developers, SCI',
    example: 'desk-form',
  }),
  sciPassword: field(secret, {
    description: 'the password of the SCI',
    where: 'Volet: Developers, SCI; you choose it when you create the SCI',
    example: 'the SCI’s password',
  }),
  apiName: field(z.string().min(1).max(100), {
    description: 'the name of the API',
    where: 'Volet: Developers, API; enter the IP address of your server there',
    example: 'desk-api',
  }),
  apiPassword: field(secret, {
    description: 'the password of the API',
    where: 'Volet: Developers, API; you choose it when you create the API',
    example: 'the API’s password',
  }),
  wallets: z
    .strictObject({ USD: wallet('U').optional(), EUR: wallet('E').optional(), RUB: wallet('R').optional() })
    .refine((wallets) => Object.values(wallets).some((one) => one !== undefined), 'at least one wallet'),
});

export type VoletSettings = z.output<typeof settings>;

/** A currency at Volet: our code, Volet's code (`RUR` for roubles), and the first letter of its wallets' numbers. */
export interface VoletCurrency {
  readonly code: string;
  readonly wire: string;
  readonly letter: string;
  /** Number of our own wallet. */
  readonly wallet: string;
}

/** Returns the currencies in which the operator has a wallet. */
export function currenciesOf({ wallets }: VoletSettings): readonly VoletCurrency[] {
  const all = [
    { code: 'VOLET_USD', wire: 'USD', letter: 'U', wallet: wallets.USD },
    { code: 'VOLET_EUR', wire: 'EUR', letter: 'E', wallet: wallets.EUR },
    { code: 'VOLET_RUB', wire: 'RUR', letter: 'R', wallet: wallets.RUB },
  ];
  return all.flatMap(({ wallet: own, ...rest }) => (own === undefined ? [] : [{ ...rest, wallet: own }]));
}

/** Decimals of every currency at Volet. */
export const SCALE = 2;
