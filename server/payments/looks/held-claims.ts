// Claims that a process keeps. An address where a payment is awaited is looked at every two seconds, and mostly nothing is
// there. Such looks write nothing: the claim of the first is kept in memory for as long as nobody else may take it, and the
// rail alone is asked again. Whatever such a glance shows is left to a look: it takes the claim anew, and only what the row
// says then counts. Somebody who asks for a look (`asked`) gets one at once, whichever process keeps the claim.

import { monotonicMs } from '../../platform/index.ts';
import type { Rail, ReceivingAddress } from '../../rails/rail.ts';
import type { ClaimedAddress } from '../payins/payin-store.ts';
import { settings } from '../rails/settings.ts';
import type { HeldClaim } from './claim-addresses.ts';

/** For how long of a claim of 30 seconds it is kept: a glance may take some of the rest. */
const KEPT_MS = 20_000;

interface Held extends HeldClaim {
  provenAt: Date | null;
  readonly address: ReceivingAddress;
  /** When it is glanced at next, by the clock of this process. */
  dueAt: number;
  /** Until when it is kept, by the database's. */
  readonly until: number;
}

/** An address at which a look found nothing; `isWhole`: so nothing was there. */
export interface Quiet {
  readonly claim: ClaimedAddress;
  readonly address: ReceivingAddress;
  readonly isWhole: boolean;
}

const heldOf = new WeakMap<Rail, Map<number, Held>>();

/**
 * Keeps the claims of addresses where nothing happens and a payment is awaited, after a look that found nothing there; gives
 * those that are to be written down. Providers tell by themselves, and ask whether somebody still waits: theirs are not kept.
 */
export function keepQuiet(rail: Rail, looked: readonly Quiet[]): ClaimedAddress[] {
  const held = heldOf.get(rail) ?? new Map<number, Held>();
  heldOf.set(rail, held);
  return looked.flatMap(({ claim, address, isWhole }) => {
    const { number, look, begun, quietUntil } = claim;
    const until = Math.min(begun.getTime() + KEPT_MS, quietUntil?.getTime() ?? 0);
    held.delete(number);
    if (rail.kind === 'provider' || until <= begun.getTime()) return [claim];
    held.set(number, { number, look, provenAt: isWhole ? begun : null, address, until, dueAt: nextGlance(rail) });
    return [];
  });
}

function nextGlance({ payin }: Rail): number {
  const { closeMs, unfinishedMs } = settings.get('payments.watch');
  // Where payments come in blocks alone each block makes it due.
  return monotonicMs() + (payin?.blocksOnly ? Math.max(closeMs, unfinishedMs) : closeMs);
}

/** The numbers of addresses whose claims this process keeps. */
export const heldNumbers = (rail: Rail): number[] => [...(heldOf.get(rail)?.keys() ?? [])];

const isDue = ({ dueAt }: Held): boolean => dueAt <= monotonicMs();

/** Whether some of what this process keeps is to be glanced at. */
export const isGlanceDue = (rail: Rail): boolean => heldOf.get(rail)?.values().some(isDue) ?? false;

/** Its chain has moved: all that is kept is glanced at. */
export function glanceSoon(rail: Rail): void {
  for (const held of heldOf.get(rail)?.values() ?? []) held.dueAt = 0;
}

/** Begins to glance at what is due, the longest due first, and at no more than `most` says of their number. */
export function beginGlances(rail: Rail, most: (due: number) => number): Held[] {
  const due = [...(heldOf.get(rail)?.values() ?? [])].filter(isDue);
  if (due.length === 0) return [];
  const begun = due.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, most(due.length));
  // Before it is glanced at: a block that comes meanwhile makes it due once more.
  for (const held of begun) held.dueAt = nextGlance(rail);
  return begun;
}

/**
 * What a glance that began at `now` came to: where something is shown, or the claim ends soon, it is given up for a look,
 * and given from here. `isWhole`: what it did not show was not there.
 */
export function endGlances(
  rail: Rail,
  now: Date,
  glanced: readonly Held[],
  { isShown, isWhole }: { isShown(to: string): boolean; readonly isWhole: boolean },
): HeldClaim[] {
  const kept = heldOf.get(rail);
  return glanced.filter((held) => {
    if (isShown(held.address.to) || held.until <= now.getTime()) {
      if (kept?.get(held.number) === held) kept.delete(held.number);
      return true;
    }
    if (isWhole && now > (held.provenAt ?? 0)) held.provenAt = now;
    return false;
  });
}

/** Gives up all that is kept of a rail, and gives it. */
export function giveUpAll(rail: Rail): HeldClaim[] {
  const all = [...(heldOf.get(rail)?.values() ?? [])];
  heldOf.delete(rail);
  return all;
}
