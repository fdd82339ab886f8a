// How long an order took us: from the payment that was final, fitted and was clean until the payout was handed to its rail.
// Pure.

/** A row of a timeline. */
export interface TimelineRow {
  readonly at: Date;
  readonly event: string;
  /** The state that it left the order in. */
  readonly to: string;
}

/** States in which it is ours to go on, whatever ends them. */
const OURS: ReadonlySet<string> = new Set(['queued', 'sending', 'in_doubt']);
/** What ends a failed payout that nobody but us was waited for: the float was empty, or the rail was down. */
const TRIED_AGAIN: ReadonlySet<string> = new Set(['retry', 'op_retry']);

/**
 * Seconds that the clock ran; null where it never did. It stands still while the customer has something to choose or to name,
 * while papers, screening or the law hold the order, and in the clearing period of a payment that can be taken back. It runs
 * while people approve the payout, while our float is empty and while a send is in doubt. Takes the timeline as it is read
 * (`shownEvents`), oldest first.
 */
export function takenSeconds(
  timeline: readonly TimelineRow[],
  { isReversible }: { readonly isReversible: boolean },
): number | null {
  const moves = timeline.filter(({ to }, at) => to !== timeline[at - 1]?.to);
  let [ms, isStarted] = [0, false];
  for (const [at, { to, at: from }] of moves.entries()) {
    const next = moves[at + 1];
    if (!next || !runsIn(to, next.event, isReversible)) continue;
    isStarted = true;
    ms += next.at.getTime() - from.getTime();
  }
  return isStarted ? Math.round(ms / 1_000) : null;
}

function runsIn(state: string, endedBy: string, isReversible: boolean): boolean {
  if (state === 'approving') return !isReversible;
  return OURS.has(state) || (state === 'payout_failed' && TRIED_AGAIN.has(endedBy));
}
