import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(200);
/** The largest `LMI_PAYMENT_NO`. */
export const LARGEST_NUMBER = 2_147_483_647;
/** Digits behind the point of every currency here. */
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
        description: 'the secret key of the purse, which proves messages and look-ups',
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

/** What an operator says of their WebMoney. A currency without a purse is switched off. */
export const settings = z.strictObject({
  merchant: field(z.url().default('https://merchant.webmoney.ru/lmi/payment_utf.asp'), {
    description: 'where a customer’s browser posts the form to',
    where: 'another only for tests',
  }),
  lookUp: field(z.url().default('https://merchant.webmoney.ru/conf/xml/XMLTransGet.asp'), {
    description: 'the address of interface X18, which says what came of a payment',
    where: 'another only for tests',
  }),
  api: field(z.url().endsWith('/').default('https://w3s.webmoney.com/json/V1/'), {
    description: 'the folder of the JSON interfaces, with its last slash',
    where: 'another only for tests',
  }),
  wmid: field(z.string().regex(/^\d{12}$/, 'twelve digits'), {
    description: 'your WMID, twelve digits',
    where: 'WebMoney: beside your name once you have signed in',
    example: '123456789012',
  }),
  /**
   * The number of the first payment. WebMoney takes integers alone, so nothing of this installation's key is in them: one
   * that takes over from another on the same purse must begin above all numbers of that one.
   */
  firstNumber: field(z.int().min(1).max(LARGEST_NUMBER), {
    description: 'the number of our first payment, above all that were ever used on the purse',
    where: 'choose it: 1 on a purse that nobody has used',
    example: 1,
  }),
  purses: z
    .strictObject({ WMZ: purse('Z'), WME: purse('E') })
    .refine((purses) => Object.values(purses).some((one) => one !== undefined), 'at least one purse'),
});

export type WebMoneySettings = z.output<typeof settings>;

/** A currency at WebMoney: our code, its purses' letter, and our own purse with its secrets. */
export interface WebMoneyCurrency {
  readonly code: string;
  readonly letter: string;
  readonly purse: string;
  readonly secretKey: string;
  readonly secretX20: string;
  readonly token: string;
}

/** The currencies that the operator has a purse for. */
export function currenciesOf({ purses }: WebMoneySettings): readonly WebMoneyCurrency[] {
  const all = [
    { code: 'WMZ', letter: 'Z', own: purses.WMZ },
    { code: 'WME', letter: 'E', own: purses.WME },
  ];
  return all.flatMap(({ code, letter, own }) => (own === undefined ? [] : [{ code, letter, ...own }]));
}
