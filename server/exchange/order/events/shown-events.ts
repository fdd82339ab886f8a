// Turns a timeline into the form that people and programs read. While an order is being paid, its rows show the progress of the
// payout. The names are the contract's.

/** Progress of a payout, as people read it. */
export type HowFar = 'queued' | 'sending' | 'in_doubt' | 'sent';
/** States of an order whose money is being sent. */
export type InFlight = 'paying' | 'refunding';

/** Returns the public status of an order whose money is being sent, with its progress. */
export const inFlight = (state: InFlight, far: HowFar): HowFar | `r_${HowFar}` => (state === 'paying' ? far : `r_${far}`);
export const isInFlight = (state: string): state is InFlight => state === 'paying' || state === 'refunding';

/** The fields of a timeline row that this file needs. */
interface TimelineStep {
  readonly event: string;
  readonly from: string;
  readonly to: string;
}

/** Progress of a payout after each event of payments. */
const AFTER: Readonly<Record<string, HowFar>> = {
  ...{ send: 'sending', resend: 'sending', unknown: 'in_doubt', dedupe_over: 'in_doubt' },
  ...{ accepted: 'sent', found: 'sent', resolve: 'sent', vanished: 'sent', sending_progress: 'sent' },
};

/** Returns a timeline with its states replaced by the public ones. */
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
