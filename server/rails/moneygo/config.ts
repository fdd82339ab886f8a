import { z } from 'zod';
import { field } from '../provider/index.ts';

const secret = z.string().min(1).max(1_000);
const wallet = (letter: string) =>
  field(z.string().regex(new RegExp(`^${letter}\\d{2,12}$`), `${letter} and digits`), {
    description: `the number of your wallet, ${letter} and digits; without it the currency is off`,
    where: 'MoneyGo: the list of wallets',
    example: `${letter}12345678`,
  });

/** Digits behind the point of every currency here. */
export const SCALE = 2;

/** What an operator says of their account at MoneyGo. A currency without a wallet is switched off. */
export const settings = z.strictObject({
  /** The older SDK knows a test service, too: `https://api.money-go-test.com/`. */
  api: field(z.url().endsWith('/').default('https://api.money-go.com/'), {
    description: 'the address of the service, with its last slash',
    where: 'another only for tests',
  }),
  clientId: field(secret, {
    description: 'the client id of your merchant account',
    where: 'MoneyGo: Merchant, API',
    example: 'client-id',
  }),
  clientSecret: field(secret, {
    description: 'the client secret beside it',
    where: 'MoneyGo: Merchant, API',
    example: 'client-secret',
  }),
  /**
   * The "token for the form". It is signed inside a JSON text, and PHP writes some signs of JSON otherwise than others do:
   * nothing says which way is right, so such signs are refused here rather than guessed.
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

/** A currency at MoneyGo: our code, its own code, its wallets' letter, and our wallet. */
export interface MoneyGoCurrency {
  readonly code: string;
  readonly wire: string;
  readonly letter: string;
  readonly wallet: string;
}

/** The currencies that the operator has a wallet for. */
export function currenciesOf({ wallets }: MoneyGoSettings): readonly MoneyGoCurrency[] {
  return (['USD', 'EUR', 'RUB'] as const).flatMap((wire) => {
    const own = wallets[wire];
    return own === undefined ? [] : [{ code: `MONEYGO_${wire}`, wire, letter: own.charAt(0), wallet: own }];
  });
}
