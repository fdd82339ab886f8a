import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(200);
/** Largest number of a payment (`LMI_PAYMENT_NO`). */
export const LARGEST_NUMBER = 2_147_483_647;
/** Number of decimals of WebMoney's currencies. */
export const SCALE = 2;

const purse = (letter: string) =>
  z
    .strictObject({
      purse: field(z.string().regex(new RegExp(`^${letter}\\d{12}$`), `${letter} and twelve digits`), {
        description: `the number of your purse, ${letter} and twelve digits; without the purse the currency is off`,
        where: 'WebMoney: the list of purses',
        example: `${letter}123456789012`,
      }),
      secretKey: field(secret, {
        description: 'the secret key of the purse, which proves messages and signs look-ups',
        where: 'merchant.webmoney.ru: settings of the purse, Secret Key',
        example: 'the purse’s secret key',
      }),
      secretX20: field(secret, {
        description: 'the key that signs the payment form',
        where: 'merchant.webmoney.ru: settings of the purse, Secret Key X20',
        example: 'the purse’s secret key X20',
      }),
      token: field(z.string().min(1).max(5_000), {
        description: 'a token with the rights to see this purse and to transfer from it',
        where: 'security.webmoney.com: tokens',
        example: 'the purse’s token',
      }),
    })
    .optional();

/** The operator's settings of their WebMoney account. A currency without a purse is switched off. */
export const settings = z.strictObject({
  merchant: field(z.url().default('https://merchant.webmoney.ru/lmi/payment_utf.asp'), {
    description: 'the URL to which a customer’s browser posts the payment form',
    where: 'change it only for tests',
  }),
  lookUp: field(z.url().default('https://merchant.webmoney.ru/conf/xml/XMLTransGet.asp'), {
    description: 'the URL of interface X18, which looks payments up',
    where: 'change it only for tests',
  }),
  api: field(z.url().endsWith('/').default('https://w3s.webmoney.com/json/V1/'), {
    description: 'the URL of the folder of the JSON interfaces, with its last slash',
    where: 'change it only for tests',
  }),
  wmid: field(z.string().regex(/^\d{12}$/, 'twelve digits'), {
    description: 'your WMID, twelve digits',
    where: 'WebMoney: next to your name after signing in',
    example: '123456789012',
  }),
  /**
   * Number of the first payment. WebMoney accepts only integers, so references have no part of this installation's key. An
   * installation that takes over a purse must begin above all numbers of the one before.
   */
  firstNumber: field(z.int().min(1).max(LARGEST_NUMBER), {
    description: 'the number of our first payment, above all numbers that were ever used on the purse',
    where: 'choose it: 1 on an unused purse',
    example: 1,
  }),
  purses: z
    .strictObject({ WMZ: purse('Z'), WME: purse('E') })
    .refine((purses) => Object.values(purses).some((one) => one !== undefined), 'at least one purse'),
});

export type WebMoneySettings = z.output<typeof settings>;

/** A currency at WebMoney: our code, the letter of its purses, and our own purse with its secrets. */
export interface WebMoneyCurrency {
  readonly code: string;
  readonly letter: string;
  readonly purse: string;
  readonly secretKey: string;
  readonly secretX20: string;
  readonly token: string;
}

/** Returns the currencies for which the operator has a purse. */
export function currenciesOf({ purses }: WebMoneySettings): readonly WebMoneyCurrency[] {
  const all = [
    { code: 'WMZ', letter: 'Z', own: purses.WMZ },
    { code: 'WME', letter: 'E', own: purses.WME },
  ];
  return all.flatMap(({ code, letter, own }) => (own === undefined ? [] : [{ code, letter, ...own }]));
}
