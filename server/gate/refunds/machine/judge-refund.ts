// Judges the journals of test refunds, which are composed and not posted. Pure.

import { type Journal, accounts } from '../../../ledger/index.ts';
import { judgeJournal } from '../../judge/judge-journal.ts';
import type { OwnSum } from '../../judge/own-sums.ts';
import { type Claim, type Refund, isWaiting, plus, waitingSum } from './refund.ts';

/** A refund with all of its claims. */
interface WithClaims {
  readonly refund: Refund;
  readonly claims: readonly Claim[];
}

/**
 * Checks a journal of a test refund as the ledger would: the refund and the payouts of its claims must come out as the changed
 * rows say. `before`: undefined for a new refund. Throws for a fault of the code.
 */
export function judgeRefund(
  before: WithClaims | undefined,
  after: WithClaims,
  journal: Pick<Journal, 'id' | 'kind' | 'cause' | 'legs'>,
): void {
  const names = [`refund:${after.refund.id}:`, ...after.claims.map(({ id }) => `payout:${id}:`)];
  const isOwn = (name: string): boolean => names.some((one) => name.startsWith(one));
  judgeJournal(journal, { before: before ? sumsOf(before) : [], after: sumsOf(after), isOwn });
}

/** Returns the sums in the accounts of a refund and of the payouts of its claims. */
function sumsOf({ refund, claims }: WithClaims): OwnSum[] {
  const unpaid = claims.filter(isWaiting).map(waitingSum).reduce(plus, refund.rests);
  const paying = claims.filter(({ state }) => state === 'paying');
  return [
    ...unpaid.map(({ unit, parts }) => ({ account: accounts.refund(refund.id, unit), parts })),
    ...paying.map(({ id, unit, parts }) => ({ account: accounts.payout(id, unit), parts })),
  ];
}
