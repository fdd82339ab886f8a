import { z } from 'zod';
import { field } from '../provider/index.ts';

/** The operator's settings of their Perfect Money account. Nothing else should use the account: see `payout.ts`. */
export const settings = z.strictObject({
  apiUrl: field(z.url({ protocol: /^https?$/ }).default('https://perfectmoney.com/acct/'), {
    description: 'the URL of the API’s pages; they answer only IP addresses that the account’s settings allow',
    where: 'change it only for tests',
  }),
  /** Perfect Money has no keys besides the login and its password. */
  login: field(z.string().regex(/^\d{1,12}$/, 'digits'), {
    description: 'your member id (AccountID), digits',
    where: 'Perfect Money: the letter about your registration',
    example: '1234567',
  }),
  passPhrase: field(z.string().min(1), {
    description: 'the password that you sign in with',
    where: 'you chose it; no page shows it',
    example: 'the login’s password',
  }),
  accounts: z.strictObject({
    PMV_USD: field(z.string().regex(/^U\d{6,9}$/, 'an account like U1234567'), {
      description: 'your account in USD, U and digits, which nothing else uses',
      where: 'Perfect Money: My account',
      example: 'U1234567',
    }),
    PMV_EUR: field(
      z
        .string()
        .regex(/^E\d{6,9}$/, 'an account like E1234567')
        .optional(),
      {
        description: 'your account in EUR, E and digits; without it the currency is off',
        where: 'Perfect Money: My account',
        example: 'E1234567',
      },
    ),
  }),
});

export type PerfectMoneySettings = z.output<typeof settings>;

/** Number of decimals of both currencies. */
export const SCALE = 2;

/** Our currencies by Perfect Money's names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['USD', 'PMV_USD'],
  ['EUR', 'PMV_EUR'],
]);

/** Returns our currency for Perfect Money's name; undefined if we don't have it. */
export const currencyOf = (name: string): string | undefined => NAMES.get(name.trim().toUpperCase());

/** Returns our account at Perfect Money in a currency; undefined if the operator has none. */
export const accountOf = ({ accounts }: PerfectMoneySettings, currency: string): string | undefined =>
  currency === 'PMV_USD' ? accounts.PMV_USD : currency === 'PMV_EUR' ? accounts.PMV_EUR : undefined;

/** Returns the currencies in which the operator has an account. */
export const currenciesOf = (settings: PerfectMoneySettings): string[] =>
  [...NAMES.values()].filter((currency) => accountOf(settings, currency) !== undefined);
