import { z } from 'zod';

const secret = z.string().min(1).max(1_000);
const wallet = (letter: string) => z.string().regex(new RegExp(`^${letter}\\d{2,12}$`), `${letter} and digits`);

/** Digits behind the point of every currency here. */
export const SCALE = 2;

/** What an operator says of their account at MoneyGo. A currency without a wallet is switched off. */
export const settings = z.strictObject({
  /** The service, with its last slash. The older SDK knows a test service, too: `https://api.money-go-test.com/`. */
  api: z.url().endsWith('/').default('https://api.money-go.com/'),
  clientId: secret,
  clientSecret: secret,
  /**
   * The "token for the form". It is signed inside a JSON text, and PHP writes some signs of JSON otherwise than others do:
   * nothing says which way is right, so such signs are refused here rather than guessed.
   */
  formSecret: secret.regex(/^[!-~]+$/).refine((text) => !/["\\/]/.test(text), 'no quotes, slashes or backslashes'),
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
