// A timeline as people and programs read it: while an order is paid, its rows say how far its payout came. The names are those
// of the contract.

/** How far a payout is, as it is read. */
export type HowFar = 'queued' | 'sending' | 'in_doubt' | 'sent';
/** States of an order that sends. */
export type InFlight = 'paying' | 'refunding';

/** An order that sends, with how far that is. */
export const inFlight = (state: InFlight, far: HowFar): HowFar | `r_${HowFar}` => (state === 'paying' ? far : `r_${far}`);
export const isInFlight = (state: string): state is InFlight => state === 'paying' || state === 'refunding';

/** What of a row of a timeline is read. */
interface Moved {
  readonly event: string;
  readonly from: string;
  readonly to: string;
}

/** After what payments tells, how far a payout is. */
const AFTER: Readonly<Record<string, HowFar>> = {
  ...{ send: 'sending', resend: 'sending', unknown: 'in_doubt', dedupe_over: 'in_doubt' },
  ...{ accepted: 'sent', found: 'sent', resolve: 'sent', vanished: 'sent', sending_progress: 'sent' },
};

/** A timeline with its states as they are read. */
export function shownEvents<Row extends Moved>(events: readonly Row[]): Row[] {
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
