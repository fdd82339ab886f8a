import type { Attempt, Payout as PayoutRail, Rail, WalletState } from '../../rails/rail.ts';
import type { StoredPayout } from '../payouts/rows/payout-store.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';

/** Bytes signed for payouts before a process died, and payouts left to be signed. */
interface Before {
  /** Attempts to be stored and sent with the same bytes. */
  readonly attempts: readonly Attempt[];
  /** Payouts for which nothing was signed that can still happen. */
  readonly left: readonly StoredPayout[];
  readonly byId: ReadonlyMap<string, StoredPayout>;
  /** Reason why the signed bytes are unknown: nothing is signed then. */
  readonly failed?: { readonly reason: 'failed'; readonly detail: string };
}

/**
 * Queries the signer's journal for bytes signed for payouts that were taken up before: a process may have died before storing
 * them. These bytes are stored and sent, whatever the chain says: they can happen only once. A payout is signed anew only if its
 * send ends by time alone, and that time is surely over.
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
    const cached = new Map<string, Attempt>();
    // The newest first: an older attempt with the same inputs was given up for it.
    for (const attempt of (lines ?? []).toReversed()) {
      // An attempt that also carries payouts which may not leave is replaced by a new one without them: both have the same
      // inputs.
      const isWhole = attempt.items.every((id) => byId.has(id) && !cached.has(id));
      if (isWhole && (await mayHappen(callMs, rail, payout, attempt))) for (const id of attempt.items) cached.set(id, attempt);
    }
    return { attempts: [...new Set(cached.values())], left: work.filter(({ id }) => !cached.has(id)), byId };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { attempts: [], left: work, byId, failed: { reason: 'failed', detail } };
  }
}

/**
 * True if an attempt may still happen. One ruled out by another transaction counts, too: after it is stored, that transaction is
 * found, and people decide.
 */
async function mayHappen(callMs: number, rail: Rail, payout: PayoutRail, attempt: Attempt): Promise<boolean> {
  if (payout.ruledOutBy) return true;
  const found = await within(callMs, `${rail.id} find`, () => payout.find(attempt));
  return found.outcome !== 'absent' || !found.isConclusive;
}
