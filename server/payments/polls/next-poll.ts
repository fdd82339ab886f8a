// Schedules the next poll of an address, by its state and its known payments.

import { log } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { decidingHeight, firstHeight } from '../rails/finality.ts';
import type { Change, Payin } from '../payins/payin.ts';
import type { ClaimedAddress, LockedAddress, Schedule } from '../payins/payin-store.ts';
import { idsOfOwner } from '../rails/owner.ts';
import { settings } from '../rails/settings.ts';
import type { Polled } from './missing-payins.ts';
import { pauseByAge } from './pause-by-age.ts';

/** Number of blocks below the tip that the next poll reads again. Exceeds the depth down to which reorgs are looked for. */
const OVERLAP = 150;

/**
 * Returns the time in ms after which an alarm is raised for a payment that stays missing, or an address that can't be read
 * completely.
 */
export const alarmMs = (): number => settings.get('payments.missing_alarm_minutes') * 60_000;

/** Returns the schedules of claimed addresses after a poll. */
export function scheduleAll(
  now: Date,
  rail: Rail,
  addresses: readonly LockedAddress[],
  claimed: readonly ClaimedAddress[],
  changes: readonly Change[],
  polled: Polled,
): Schedule[] {
  const claims = new Map(claimed.map((claim) => [claim.number, claim]));
  const payins = Map.groupBy(changes, ({ payin }) => payin.number);
  return addresses.map((address) => {
    const here = payins.get(address.number) ?? [];
    const claim = claims.get(address.number);
    const reading = readingOf(now, rail, address, claim, polled);
    const known = here.map(({ payin }) => payin);
    return {
      ...nextPoll(now, address, known, polled.height, rail, reading),
      ...reading,
      mayHold: here.some(({ event }) => event === 'final'),
      number: address.number,
      poll: claim?.poll ?? '',
    };
  });
}

type Reading = Pick<Schedule, 'polledAt' | 'readOn' | 'unreadSince' | 'isUnreadReported'>;

/**
 * Returns the time of the last complete poll, which proves which payments are absent. After an incomplete poll, returns the
 * position at which the next poll continues.
 */
function readingOf(now: Date, rail: Rail, address: LockedAddress, claim: ClaimedAddress | undefined, polled: Polled): Reading {
  const left = polled.unread.get(address.to);
  // A node that is below the greatest known height doesn't prove that a payment is absent.
  const isWhole = !left && polled.height >= polled.top;
  if (!left) return { polledAt: (isWhole && claim?.begun) || null, readOn: null, unreadSince: null, isUnreadReported: false };
  const unreadSince = address.unreadSince ?? now;
  const isUnreadReported = address.isUnreadReported || now.getTime() - unreadSince.getTime() >= alarmMs();
  const about = { rail: rail.id, place: address.number, to: address.to, ...idsOfOwner(address.owner), detail: left.detail };
  if (!address.unreadSince) log.warn('an address was not read completely', about);
  if (isUnreadReported && !address.isUnreadReported)
    log.alarm('an address can’t be read completely: a payment to it may stay unseen', about);
  return { polledAt: null, readOn: left.readOn ?? claim?.readOn ?? null, unreadSince, isUnreadReported };
}

/** Returns the sum of final payments in the address's currency. */
function paidFor({ currency }: LockedAddress, payins: readonly Payin[]): bigint {
  return payins.reduce((sum, one) => (one.status === 'final' && one.currency === currency ? sum + one.parts : sum), 0n);
}

/** Returns the sum of payments in the address's currency that the rail shows now, final or not. */
function seenFor({ currency }: LockedAddress, payins: readonly Payin[]): bigint {
  const isShown = ({ status, missingSince }: Payin): boolean =>
    missingSince === null && (status === 'final' || status === 'seen');
  return payins.reduce((sum, one) => (isShown(one) && one.currency === currency ? sum + one.parts : sum), 0n);
}

/** Returns the height from which a poll may change unfinished payments; null if each block may. */
function firstDeciding(payins: readonly Payin[]): number | null {
  const open = payins.filter(({ status, isFollowed }) => status === 'seen' || (status === 'reversed' && isFollowed));
  return firstHeight(
    open.map(({ status, height, confirmations, needed }) =>
      status === 'seen' && height !== null ? decidingHeight(height, confirmations, needed) : null,
    ),
  );
}

/**
 * Returns the time and start height of an address's next poll. `isPressing`: true if a payment is likely before that poll.
 * Addresses with a likely payment come first. The others are polled ever less often, because their number only grows.
 */
function nextPoll(
  now: Date,
  address: LockedAddress,
  payins: readonly Payin[],
  height: number,
  rail: Rail,
  { unreadSince, isUnreadReported }: Reading,
): Pick<Schedule, 'fromHeight' | 'pollHeight' | 'isUnfinished' | 'isSettling' | 'isPressing' | 'inMs'> {
  const watch = settings.get('payments.watch');
  const unfinished = payins.some(({ status, isFollowed }) => status === 'seen' || (status === 'reversed' && isFollowed));
  const isSettling = payins.some(({ status, isFollowed }) => status === 'final' && isFollowed);
  const missing = payins.some(({ missingSince }) => missingSince !== null);
  const isOpen = missing || unreadSince !== null;
  // After an alarm about a missing payment or an incomplete poll, the address is polled only as often as one with an unfinished
  // payment.
  const isUrgent =
    payins.some(({ missingSince, isMissingReported }) => missingSince !== null && !isMissingReported) ||
    (isOpen && !missing && !isUnreadReported);
  // Until the whole amount has arrived, the missing rest may come at any moment.
  const isWhole = paidFor(address, payins) >= address.expected;
  const isPaid = isWhole && address.expected > 0n;
  const isSeen = address.expected > 0n && seenFor(address, payins) >= address.expected;
  const pollHeight = isOpen || !isSeen ? null : firstDeciding(payins);
  // A provider sends webhooks, so its addresses are polled less often.
  const isPrompted = rail.kind === 'provider';
  const closeMs = isPrompted ? watch.promptedMs : watch.closeMs;
  // On chains that show payments only in blocks, each block makes the address due anyway.
  const awaitedMs = rail.payin?.isBlocksOnly ? Math.max(closeMs, watch.unfinishedMs) : closeMs;
  const inMs = isUrgent
    ? closeMs
    : pollHeight !== null
      ? watch.settlingMs
      : isPrompted && isWhole && !unfinished && !isOpen
        ? pauseByAge(now, address)
        : isSettling && !unfinished && !isOpen && now < address.closeUntil && isWhole
          ? watch.settlingMs
          : isSettling && !unfinished && !isOpen && now >= address.closeUntil
            ? watch.lateMs
            : now < address.closeUntil
              ? isPaid
                ? watch.unfinishedMs
                : awaitedMs
              : unfinished || isOpen
                ? watch.unfinishedMs
                : pauseByAge(now, address);
  const heights = payins.flatMap((payin) =>
    payin.height === null || !(payin.isFollowed || payin.status === 'seen') ? [] : payin.height,
  );
  return {
    fromHeight: isOpen ? address.fromHeight : Math.max(0, Math.min(height - OVERLAP, ...heights)),
    pollHeight,
    isUnfinished: unfinished || isOpen,
    isSettling,
    isPressing: isUrgent || unfinished || isOpen || (now < address.closeUntil && !isPaid),
    inMs,
  };
}
