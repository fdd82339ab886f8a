/** An account to screen: its currency, and the fields that name the account. */
export interface ScreenedAccount {
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A service's label for an account. `hard` holds until people decide; `soft` holds for a limited time. */
export interface RiskLabel {
  readonly name: string;
  readonly kind: 'hard' | 'soft';
}

/** A service's answer about an account: a score from 0 to 100, and labels. Labels are used whatever the score is. */
export interface Risk {
  readonly score: number;
  readonly labels?: readonly RiskLabel[];
}

/**
 * Function that queries an outside screening service. Returns one risk for each account, in the same sequence. Throws or times
 * out if the service doesn't answer.
 */
export type Screener = (accounts: readonly ScreenedAccount[], signal: AbortSignal) => Promise<readonly Risk[]>;
