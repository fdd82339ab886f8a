import { z } from 'zod';

const secret = z.string().min(1).max(200);
/** The largest `LMI_PAYMENT_NO`. */
export const LARGEST_NUMBER = 2_147_483_647;
/** Digits behind the point of every currency here. */
export const SCALE = 2;

const purse = (letter: string) =>
  z
    .strictObject({
      purse: z.string().regex(new RegExp(`^${letter}\\d{12}$`), `${letter} and twelve digits`),
      /** The key of the purse's page at the merchant service: proves its webhooks and our look-ups. */
      secretKey: secret,
      /** The key of the same page that signs our form. */
      secretX20: secret,
      /** A token for this purse with the rights to see it and to transfer from it (security.webmoney.com). */
      token: z.string().min(1).max(5_000),
    })
    .optional();

/** What an operator says of their WebMoney. A currency without a purse is switched off. */
export const settings = z.strictObject({
  /** Where a customer's browser posts the form to. */
  merchant: z.url().default('https://merchant.webmoney.ru/lmi/payment_utf.asp'),
  /** Interface X18: what came of a payment. */
  lookUp: z.url().default('https://merchant.webmoney.ru/conf/xml/XMLTransGet.asp'),
  /** The folder of the JSON interfaces, with its last slash. */
  api: z.url().endsWith('/').default('https://w3s.webmoney.com/json/V1/'),
  wmid: z.string().regex(/^\d{12}$/, 'twelve digits'),
  /**
   * The number of the first payment. WebMoney takes integers alone, so nothing of this installation's key is in them: one
   * that takes over from another on the same purse must begin above all numbers of that one.
   */
  firstNumber: z.int().min(1).max(LARGEST_NUMBER),
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
