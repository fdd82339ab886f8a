import type { Attempt, Payout as PayoutRail, Rail, WalletState } from '../../rails/rail.ts';
import type { StoredPayout } from '../payouts/rows/payout-store.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';

/** What was signed for payouts before a process died, and what is left to be signed. */
interface Before {
  /** To be stored and sent with the very same bytes. */
  readonly attempts: readonly Attempt[];
  /** Payouts for which nothing was signed that can still happen. */
  readonly left: readonly StoredPayout[];
  readonly byId: ReadonlyMap<string, StoredPayout>;
  /** Why nobody knows what was signed: nothing is signed then. */
  readonly failed?: { readonly reason: 'failed'; readonly detail: string };
}

/**
 * Asks the signer's journal what was signed for payouts that were taken up before: a process may have died before it was stored.
 * Those very bytes are stored and sent, whatever the chain says of them: they can happen only once. Only where nothing but time
 * ends a send, and its time is over for good, the payout is signed anew.
 */
export async function signedBefore(
  { callMs }: PaymentsDeps,
  rail: Rail,
  payout: PayoutRail,
  { work, state }: { readonly work: readonly StoredPayout[]; readonly state: WalletState },
): Promise<Before> {
  const byId = new Map(work.map((one) => [one.id, one]));
  if (!payout.signedBefore) return { attempts: [], left: work, byId };
  try {
    const ids = [...byId.keys()];
    const lines = await within(callMs, `${rail.id} signed before`, async () => payout.signedBefore?.(ids, state));
    const kept = new Map<string, Attempt>();
    // The newest first: an older one that spends the same was given up for it.
    for (const attempt of (lines ?? []).toReversed()) {
      // What carries others, too, which may not leave, is signed anew without them: both spend the same.
      const isWhole = attempt.items.every((id) => byId.has(id) && !kept.has(id));
      if (isWhole && (await mayHappen(callMs, rail, payout, attempt))) for (const id of attempt.items) kept.set(id, attempt);
    }
    return { attempts: [...new Set(kept.values())], left: work.filter(({ id }) => !kept.has(id)), byId };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { attempts: [], left: work, byId, failed: { reason: 'failed', detail } };
  }
}

/** One that is ruled out by another transaction is stored all the same: who spent the same is found then, and people decide. */
async function mayHappen(callMs: number, rail: Rail, payout: PayoutRail, attempt: Attempt): Promise<boolean> {
  if (payout.ruledOutBy) return true;
  const found = await within(callMs, `${rail.id} find`, () => payout.find(attempt));
  return found.outcome !== 'absent' || !found.conclusive;
}
