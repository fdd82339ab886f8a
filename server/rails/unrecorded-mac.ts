import { isMac, macOf } from '../platform/index.ts';

/** What of a send that the books don't know decides whether a rail is stopped by it. */
export interface UnrecordedContent {
  readonly id: string;
  readonly rail: string;
  readonly reference: string;
  readonly first_nonce: string | null;
  readonly last_nonce: string | null;
  readonly payout_id: string | null;
  readonly state: string;
}

const textOf = ({
  id,
  rail,
  reference,
  first_nonce: first,
  last_nonce: last,
  payout_id: payout,
  state,
}: UnrecordedContent): string => JSON.stringify([id, rail, reference, first, last, payout, state]);

/** The MAC of such a row. */
export const unrecordedMac = (row: UnrecordedContent): string => macOf('unrecorded', textOf(row));

/** True if the row says what we wrote: a decision that somebody else put there by SQL opens nothing. */
export const isUnrecordedAsWritten = (row: UnrecordedContent & { readonly mac: string | null }): boolean =>
  isMac('unrecorded', textOf(row), row.mac);
