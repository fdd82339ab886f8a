import { z } from 'zod';

/** What an operator says of their Perfect Money account. It should be used by nothing else: see `payout.ts`. */
export const settings = z.strictObject({
  /** Where the API's pages are; it answers only callers whose address stands in the account's settings. */
  apiUrl: z.url({ protocol: /^https?$/ }).default('https://perfectmoney.com/acct/'),
  /** The login (`AccountID`) and its password: Perfect Money knows no other key. */
  login: z.string().regex(/^\d{1,12}$/, 'digits'),
  passPhrase: z.string().min(1),
  accounts: z.strictObject({
    PMV_USD: z.string().regex(/^U\d{6,9}$/, 'an account like U1234567'),
    PMV_EUR: z
      .string()
      .regex(/^E\d{6,9}$/, 'an account like E1234567')
      .optional(),
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
