/** An account as its currency and the fields that name it. */
export interface ScreenedAccount {
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a service calls an account, and whether it says that this holds without an end, or until a person has looked. */
export interface RiskLabel {
  readonly name: string;
  readonly kind: 'hard' | 'soft';
}

/** What a service says of an account: a score from 0 to 100, and labels, which hold whatever the score is. */
export interface Risk {
  readonly score: number;
  readonly labels?: readonly RiskLabel[];
}

/** An outside service. Gives one risk for each account, in their order; throws or times out where it is silent. */
export type Screener = (accounts: readonly ScreenedAccount[], signal: AbortSignal) => Promise<readonly Risk[]>;
