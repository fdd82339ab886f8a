// A new claim of a refund. Pure.

import type { CurrencyInfo, GivenAccount } from '../../../payments/index.ts';
import type { Claim, ClaimSource, Refund, UnitSum } from '../machine/refund.ts';
import type { ClaimPrice } from './claim-price.ts';

/** A claimed sum with its worth in cents, its price, the currency that is sent, and the receiving account. */
export interface NewClaim {
  readonly id: string;
  readonly sum: UnitSum;
  readonly usd: bigint;
  readonly price: ClaimPrice;
  readonly at: Date;
  readonly info: CurrencyInfo;
  readonly account: Pick<GivenAccount, 'fields' | 'key'>;
  /** Payment that the claim goes back to. */
  readonly source?: ClaimSource;
}

/** Returns a claim that waits for a member. */
export const newClaim = (
  refund: Refund,
  { id, sum, usd, price: { fee, got, price }, at, info, account, source }: NewClaim,
): Claim => ({
  ...{ id, refundId: refund.id, store: refund.store, state: 'confirming', from: sum, fee, price },
  ...{ currency: info.code, unit: info.unit, parts: got.parts, to: account.fields, key: account.key, isBooked: false, usd },
  ...{ cap: undefined, isCounted: false, people: 0, approved: 0, decidedBy: undefined, reason: undefined },
  ...{ claimedAt: at, statusAt: at, txid: undefined, confirmations: undefined, needed: undefined, payout: undefined },
  ...(source && { source }),
});
