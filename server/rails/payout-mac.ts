import { isMac, macOf } from '../platform/index.ts';
import type { Fields } from './rail.ts';

/** What a payout is, of everything that decides who gets what. */
export interface AskedPayout {
  readonly id: string;
  readonly owner: { readonly kind: string; readonly id: string };
  readonly currency: string;
  readonly parts: bigint;
  readonly to: Fields;
}

const contentOf = ({ id, owner, currency, parts, to }: AskedPayout): string =>
  JSON.stringify([id, owner.kind, owner.id, currency, parts.toString(), Object.entries(to).toSorted()]);

/** The MAC that a payout is asked for with. */
export const payoutMac = (payout: AskedPayout): string => macOf('payout', contentOf(payout));

/** Is a payout still what was asked for? */
export const isAsAsked = (payout: AskedPayout & { readonly mac: string | null }): boolean =>
  isMac('payout', contentOf(payout), payout.mac);

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
