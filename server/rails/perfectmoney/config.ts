import { z } from 'zod';
import { field } from '../provider/index.ts';

/** What an operator says of their Perfect Money account. It should be used by nothing else: see `payout.ts`. */
export const settings = z.strictObject({
  apiUrl: field(z.url({ protocol: /^https?$/ }).default('https://perfectmoney.com/acct/'), {
    description: 'where the API’s pages are; it answers only callers whose address stands in the account’s settings',
    where: 'another only for tests',
  }),
  /** Perfect Money knows no other key than the login and its password. */
  login: field(z.string().regex(/^\d{1,12}$/, 'digits'), {
    description: 'your member id (AccountID), digits',
    where: 'Perfect Money: the letter that came as you registered',
    example: '1234567',
  }),
  passPhrase: field(z.string().min(1), {
    description: 'the password that you sign in with',
    where: 'nobody shows it: you chose it',
    example: 'the login’s password',
  }),
  accounts: z.strictObject({
    PMV_USD: field(z.string().regex(/^U\d{6,9}$/, 'an account like U1234567'), {
      description: 'your account in USD, U and digits, used by nothing else',
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

/** Digits of both currencies. */
export const SCALE = 2;

/** Our currencies by what Perfect Money calls theirs. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['USD', 'PMV_USD'],
  ['EUR', 'PMV_EUR'],
]);

/** Our currency of theirs, or undefined where it is none of ours. */
export const currencyOf = (name: string): string | undefined => NAMES.get(name.trim().toUpperCase());

/** Our account of a currency there, or undefined where the operator has none. */
export const accountOf = ({ accounts }: PerfectMoneySettings, currency: string): string | undefined =>
  currency === 'PMV_USD' ? accounts.PMV_USD : currency === 'PMV_EUR' ? accounts.PMV_EUR : undefined;

/** The currencies that the operator has an account of. */
export const currenciesOf = (settings: PerfectMoneySettings): string[] =>
  [...NAMES.values()].filter((currency) => accountOf(settings, currency) !== undefined);
