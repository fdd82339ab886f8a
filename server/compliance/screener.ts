/** An account as its currency and the fields that name it. */
export interface ScreenedAccount {
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a service says of an account: a score from 0 to 100, and a label that holds whatever the score is. */
export interface Risk {
  readonly score: number;
  readonly hardLabel?: string;
}

/** An outside service. Gives one risk per account in their order; throws, or takes too long, where it is silent. */
export type Screener = (accounts: readonly ScreenedAccount[], signal: AbortSignal) => Promise<readonly Risk[]>;
