// Claims that a process holds in memory. An address that awaits a payment is polled every two seconds, and mostly shows no
// payment. These quick polls only query the rail and write nothing to the database. The process holds the claim of the first poll
// until shortly before the claim expires. After a quick poll that shows a payment, a regular poll renews the claim and stores the
// results. A requested poll (`is_requested`) happens at once, even if another process holds the claim.

import { monotonicMs } from '../../platform/index.ts';
import type { Rail, ReceivingAddress } from '../../rails/rail.ts';
import type { ClaimedAddress } from '../payins/payin-store.ts';
import { settings } from '../rails/settings.ts';
import type { HeldClaim } from './claim-addresses.ts';

/** Time in ms for which a claim of 30 seconds is held. The remaining time is left for a quick poll in progress. */
const RETENTION_MS = 20_000;

interface Held extends HeldClaim {
  provenAt: Date | null;
  readonly address: ReceivingAddress;
  /** Time of the next quick poll, by the clock of this process. */
  dueAt: number;
  /** Time at which the process gives the claim up, by the database's clock. */
  readonly until: number;
}

/** A claimed address that showed no payment in the last poll. `isWhole`: that poll was complete. */
export interface Quiet {
  readonly claim: ClaimedAddress;
  readonly address: ReceivingAddress;
  readonly isWhole: boolean;
}

const heldOf = new WeakMap<Rail, Map<number, Held>>();

/**
 * Holds the claims of addresses that await a payment, after a poll that found none. Returns the claims that are not held; the
 * polls of their addresses must be stored. Claims at providers are never held. A provider sends webhooks, and each poll there
 * must know whether a customer still waits (`isWanted`).
 */
export function retainQuietClaims(rail: Rail, polled: readonly Quiet[]): ClaimedAddress[] {
  const held = heldOf.get(rail) ?? new Map<number, Held>();
  heldOf.set(rail, held);
  return polled.flatMap(({ claim, address, isWhole }) => {
    const { number, poll, begun, quietUntil } = claim;
    const until = Math.min(begun.getTime() + RETENTION_MS, quietUntil?.getTime() ?? 0);
    held.delete(number);
    if (rail.kind === 'provider' || until <= begun.getTime()) return [claim];
    held.set(number, { number, poll, provenAt: isWhole ? begun : null, address, until, dueAt: nextPoll(rail) });
    return [];
  });
}

function nextPoll({ payin }: Rail): number {
  const { closeMs, unfinishedMs } = settings.get('payments.watch');
  // On chains that show payments only in blocks, each block makes the address due anyway.
  return monotonicMs() + (payin?.isBlocksOnly ? Math.max(closeMs, unfinishedMs) : closeMs);
}

/** Returns the numbers of addresses whose claims this process holds. */
export const heldNumbers = (rail: Rail): number[] => [...(heldOf.get(rail)?.keys() ?? [])];

const isDue = ({ dueAt }: Held): boolean => dueAt <= monotonicMs();

/** True if an address whose claim this process holds is due for a quick poll. */
export const isPollDue = (rail: Rail): boolean => heldOf.get(rail)?.values().some(isDue) ?? false;

/** Makes all addresses with held claims due for a quick poll, because the chain has moved. */
export function pollSoon(rail: Rail): void {
  for (const held of heldOf.get(rail)?.values() ?? []) held.dueAt = 0;
}

/**
 * Returns the held claims whose addresses are due for a quick poll, those due longest first. `max`: returns the largest number of
 * claims to return, given the number of due ones.
 */
export function beginPolls(rail: Rail, max: (due: number) => number): Held[] {
  const due = [...(heldOf.get(rail)?.values() ?? [])].filter(isDue);
  if (due.length === 0) return [];
  const begun = due.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, max(due.length));
  // Set before the quick poll, so that a block that comes during the poll makes the address due again.
  for (const held of begun) held.dueAt = nextPoll(rail);
  return begun;
}

/**
 * Ends quick polls that began at `now`. Drops and returns claims whose address needs a regular poll, because it shows a payment
 * or the claim ends soon. `isWhole`: true if the polls were complete, so that an address without a shown payment had no payment.
 */
export function endPolls(
  rail: Rail,
  now: Date,
  polled: readonly Held[],
  { isShown, isWhole }: { isShown(to: string): boolean; readonly isWhole: boolean },
): HeldClaim[] {
  const cached = heldOf.get(rail);
  return polled.filter((held) => {
    if (isShown(held.address.to) || held.until <= now.getTime()) {
      if (cached?.get(held.number) === held) cached.delete(held.number);
      return true;
    }
    if (isWhole && now > (held.provenAt ?? 0)) held.provenAt = now;
    return false;
  });
}

/** Drops and returns all held claims of a rail. */
export function giveUpAll(rail: Rail): HeldClaim[] {
  const all = [...(heldOf.get(rail)?.values() ?? [])];
  heldOf.delete(rail);
  return all;
}
