import { EMAIL } from '@kurs/contract';
import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(200);

/** A wallet of ours by its currency's letter: `U123456789012`. */
const wallet = (letter: string) =>
  field(z.string().regex(new RegExp(`^${letter}\\d{12}$`), `${letter} and twelve digits`), {
    description: `the number of your wallet, ${letter} and twelve digits; without it the currency is off`,
    where: 'Volet: the list of wallets',
    example: `${letter}123456789012`,
  });

/**
 * What an operator says of their account at Volet. A currency without a wallet is switched off. The names are those that
 * were given to the SCI and to the API in the account's developer settings, each with a password of its own.
 */
export const settings = z.strictObject({
  sci: field(z.url().default('https://account.volet.com/sci/'), {
    description: 'where a customer’s browser posts the form to',
    where: 'another only for tests',
  }),
  /** Projects name two paths: this one, and `/wsm/apiWebService`. */
  api: field(z.url().default('https://account.volet.com/wsm/merchantWebService'), {
    description: 'the address of the SOAP service',
    where: 'another only for tests',
  }),
  account: field(z.email({ pattern: EMAIL }).max(100), {
    description: 'the e-mail that you sign in to Volet with',
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
    where: 'Volet: Developers, SCI, set as it is made',
    example: 'the SCI’s password',
  }),
  apiName: field(z.string().min(1).max(100), {
    description: 'the name of the API',
    where: 'Volet: Developers, API; enter our address there',
    example: 'desk-api',
  }),
  apiPassword: field(secret, {
    description: 'the password of the API',
    where: 'Volet: Developers, API, set as it is made',
    example: 'the API’s password',
  }),
  wallets: z
    .strictObject({ USD: wallet('U').optional(), EUR: wallet('E').optional(), RUB: wallet('R').optional() })
    .refine((wallets) => Object.values(wallets).some((one) => one !== undefined), 'at least one wallet'),
});

export type VoletSettings = z.output<typeof settings>;

/** A currency at Volet: our code, what it is called on the wire (roubles are RUR there), its wallets' letter. */
export interface VoletCurrency {
  readonly code: string;
  readonly wire: string;
  readonly letter: string;
  /** Our own wallet of it. */
  readonly wallet: string;
}

/** The currencies that the operator has a wallet for. */
export function currenciesOf({ wallets }: VoletSettings): readonly VoletCurrency[] {
  const all = [
    { code: 'VOLET_USD', wire: 'USD', letter: 'U', wallet: wallets.USD },
    { code: 'VOLET_EUR', wire: 'EUR', letter: 'E', wallet: wallets.EUR },
    { code: 'VOLET_RUB', wire: 'RUR', letter: 'R', wallet: wallets.RUB },
  ];
  return all.flatMap(({ wallet: own, ...rest }) => (own === undefined ? [] : [{ ...rest, wallet: own }]));
}

/** Digits behind the point of every currency here. */
export const SCALE = 2;
