import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(1_000);
const wallet = (letter: string) =>
  field(z.string().regex(new RegExp(`^${letter}\\d{2,12}$`), `${letter} and digits`), {
    description: `the number of your wallet, ${letter} and digits; without it the currency is off`,
    where: 'MoneyGo: the list of wallets',
    example: `${letter}12345678`,
  });

/** Decimal digits of every MoneyGo currency. */
export const SCALE = 2;

/** The operator's settings for MoneyGo. A currency without a wallet is switched off. */
export const settings = z.strictObject({
  /** MoneyGo's older SDK also names a test service: `https://api.money-go-test.com/`. */
  api: field(z.url().endsWith('/').default('https://api.money-go.com/'), {
    description: 'the address of the service, with a slash at the end',
    where: 'change it only for tests',
  }),
  clientId: field(secret, {
    description: 'the client id of your merchant account',
    where: 'MoneyGo: Merchant, API',
    example: 'client-id',
  }),
  clientSecret: field(secret, {
    description: 'the client secret of your merchant account',
    where: 'MoneyGo: Merchant, API',
    example: 'client-secret',
  }),
  /**
   * The "token for the form". It is signed inside a JSON text, and PHP escapes some characters of JSON that others don't. No document
   * says which way is right, so such characters are refused.
   */
  formSecret: field(
    secret.regex(/^[!-~]+$/).refine((text) => !/["\\/]/.test(text), 'no quotes, slashes or backslashes'),
    {
      description: 'the token for the form, without quotes, slashes and backslashes',
      where: 'MoneyGo: Merchant, Token for the form',
      example: 'token-for-the-form',
    },
  ),
  wallets: z
    .strictObject({ USD: wallet('U').optional(), EUR: wallet('E').optional(), RUB: wallet('R').optional() })
    .refine((wallets) => Object.values(wallets).some((one) => one !== undefined), 'at least one wallet'),
});

export type MoneyGoSettings = z.output<typeof settings>;

/** A currency at MoneyGo: our code, MoneyGo's code (`wire`), the letter of its wallets, and our wallet. */
export interface MoneyGoCurrency {
  readonly code: string;
  readonly wire: string;
  readonly letter: string;
  readonly wallet: string;
}

/** Returns the currencies for which the operator has a wallet. */
export function currenciesOf({ wallets }: MoneyGoSettings): readonly MoneyGoCurrency[] {
  return (['USD', 'EUR', 'RUB'] as const).flatMap((wire) => {
    const own = wallets[wire];
    return own === undefined ? [] : [{ code: `MONEYGO_${wire}`, wire, letter: own.charAt(0), wallet: own }];
  });
}
