// Start of a poll: claims addresses and reads their known payments in one transaction.

import type { Tx } from '../../platform/index.ts';
import type { Rail, ReceivingAddress } from '../../rails/rail.ts';
import type { PaymentsDeps } from '../rails/deps.ts';
import { handedOnTo } from '../payins/handed-on-store.ts';
import type { Payin } from '../payins/payin.ts';
import { type ClaimedAddress, payinsAt } from '../payins/payin-store.ts';
import { type Claim, type HeldClaim, claimAddresses, claimHeld } from './claim-addresses.ts';
import { usedEntries } from './entries.ts';

/** Addresses claimed for a poll, with the data that the poll needs. */
export interface Begun extends Pick<Claim, 'top' | 'hasOthersDue'> {
  readonly claimed: readonly ClaimedAddress[];
  /** Claimed addresses as the rail needs them for the poll. */
  readonly addresses: readonly ReceivingAddress[];
  /** Known payments to the claimed addresses. */
  readonly known: readonly Payin[];
}

/**
 * Choice of the addresses to claim. `max`: at most so many due addresses. `held`: addresses whose claims this process holds
 * already.
 */
export type Which = { readonly isUrgent: boolean; readonly max: number } | { readonly held: readonly HeldClaim[] };

/**
 * Claims addresses for a poll. The commit doesn't wait for the disk: if a database crash loses a claim, it is simply made again.
 */
export function beginPoll(deps: PaymentsDeps, rail: Rail, which: Which): Promise<Begun> {
  return deps.db.tx(
    async (tx) => {
      const { addresses: claimed, ...claim } = await ('held' in which
        ? claimHeld(tx, rail.id, which.held)
        : claimAddresses(tx, rail.id, which));
      if (claimed.length === 0) return { ...claim, claimed, addresses: [], known: [] };
      const numbers = claimed.map(({ number }) => number);
      const [addresses, known] = await Promise.all([
        addressesOf(tx, deps, rail, claimed),
        rail.payin?.seek ? payinsAt(tx, rail.id, numbers) : [],
      ]);
      return { ...claim, claimed, addresses, known };
    },
    { isSoft: true },
  );
}

/**
 * Returns the claimed addresses as the rail needs them. Adds the vouchers entered at an address that takes vouchers, and the coin
 * handed on to any other address.
 */
async function addressesOf(
  tx: Tx,
  { sealer }: PaymentsDeps,
  rail: Rail,
  claimed: readonly ClaimedAddress[],
): Promise<ReceivingAddress[]> {
  const entries = rail.payin?.redeem ? await usedEntries({ db: tx, sealer }, rail.id, claimed) : undefined;
  const handed = rail.payin?.lies ? await handedOnTo(tx, rail.id, claimed) : undefined;
  return claimed.map(({ currency, to, sinceHeight, id, isWanted, number, readOn }) => ({
    ...{ currency, to, sinceHeight },
    ...(readOn !== undefined && { readOn }),
    ...(id !== undefined && { id }),
    ...(isWanted !== undefined && { isWanted }),
    ...(entries && { entries: entries.get(number) ?? [] }),
    ...(handed?.has(number) && { handedOn: handed.get(number) ?? [] }),
  }));
}
