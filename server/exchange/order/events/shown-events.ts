// Turns an order's timeline into the form that people and programs read: with the public states. While money is being sent, the
// public state shows the progress of the payout. The names are the contract's.

/** Public progress of a payout or refund. */
export type HowFar = 'queued' | 'sending' | 'in_doubt' | 'sent';
/** States of an order whose money is being sent. */
export type InFlight = 'paying' | 'refunding';

/** Returns the public state of an order whose money is being sent, by the progress. */
export const inFlight = (state: InFlight, far: HowFar): HowFar | `r_${HowFar}` => (state === 'paying' ? far : `r_${far}`);
export const isInFlight = (state: string): state is InFlight => state === 'paying' || state === 'refunding';

/** The fields of a timeline row that this file needs. */
interface TimelineStep {
  readonly event: string;
  readonly from: string;
  readonly to: string;
}

/** Progress of a payout after each event that the payments room publishes. */
const AFTER: Readonly<Record<string, HowFar>> = {
  ...{ send: 'sending', resend: 'sending', unknown: 'in_doubt', dedupe_over: 'in_doubt' },
  ...{ accepted: 'sent', found: 'sent', resolve: 'sent', vanished: 'sent', sending_progress: 'sent' },
};

/** Returns timeline rows with public states in place of the machine's. */
export function shownEvents<Row extends TimelineStep>(events: readonly Row[]): Row[] {
  let before: string | undefined;
  let far: HowFar = 'queued';
  return events.map((row) => {
    const from = before ?? row.from;
    const isOut = isInFlight(row.to);
    far = !isOut || row.from !== row.to ? 'queued' : (AFTER[row.event] ?? far);
    const failed =
      row.from === 'refunding' || row.from === 'refunded' || from === 'refund_failed' ? 'refund_failed' : 'payout_failed';
    before = isOut ? inFlight(row.to as InFlight, far) : row.to === 'undelivered' ? failed : row.to;
    return { ...row, from, to: before };
  });
}
