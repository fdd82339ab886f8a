import type { Attempt, Payout as PayoutRail, Rail, WalletState } from '../../rails/rail.ts';
import type { StoredPayout } from '../payouts/rows/payout-store.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';

/** Attempts that another process may have had signed before it died, and the payouts that still have to be signed. */
interface Before {
  /** Signed attempts to be stored and sent with the same bytes. */
  readonly attempts: readonly Attempt[];
  /** Payouts without a signed attempt that may still happen. */
  readonly left: readonly StoredPayout[];
  readonly byId: ReadonlyMap<string, StoredPayout>;
  /** Set if the signer's journal could not be read. Then nothing may be signed. */
  readonly failed?: { readonly reason: 'failed'; readonly detail: string };
}

/**
 * Queries the signer's journal for attempts that were signed for claimed payouts. A process may have died before it stored these
 * attempts. They are now stored and sent with the same bytes, even if the chain shows them already: the same bytes can happen
 * only once. A payout is signed again only if its signed attempt can certainly never happen any more.
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
    // The newest attempt comes first. If an older one has the same inputs, the newest has replaced it.
    for (const attempt of (lines ?? []).toReversed()) {
      // If an attempt also carries payouts that may not leave, a new attempt without them replaces it. Both have the same inputs,
      // so only one can happen.
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
 * True if an attempt may still happen. Also true if another transaction may have ruled the attempt out. Once the attempt is
 * stored, its look-up finds that transaction, and people decide.
 */
async function mayHappen(callMs: number, rail: Rail, payout: PayoutRail, attempt: Attempt): Promise<boolean> {
  if (payout.ruledOutBy) return true;
  const found = await within(callMs, `${rail.id} find`, () => payout.find(attempt));
  return found.outcome !== 'absent' || !found.isConclusive;
}
