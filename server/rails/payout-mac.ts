import { isMac, macOf } from '../platform/index.ts';
import type { Fields } from './rail.ts';

/** The data of a payout that decides its receiver and amount. */
export interface RequestedPayout {
  readonly id: string;
  readonly owner: { readonly kind: string; readonly id: string };
  readonly currency: string;
  readonly parts: bigint;
  readonly to: Fields;
}

const contentOf = ({ id, owner, currency, parts, to }: RequestedPayout): string =>
  JSON.stringify([id, owner.kind, owner.id, currency, parts.toString(), Object.entries(to).toSorted()]);

/** Returns the MAC of a requested payout. */
export const payoutMac = (payout: RequestedPayout): string => macOf('payout', contentOf(payout));

/** Returns true if a payout is unchanged since its request. */
export const isAsRequested = (payout: RequestedPayout & { readonly mac: string | null }): boolean =>
  isMac('payout', contentOf(payout), payout.mac);

/** A send that the books don't know: its name, its apparent payments, and people's decision. */
export interface UnrecordedContent {
  readonly id: string;
  readonly rail: string;
  readonly source: string;
  readonly reference: string;
  readonly spend: string | null;
  readonly first_nonce: string | null;
  readonly last_nonce: string | null;
  readonly payout_id: string | null;
  readonly currency: string | null;
  readonly parts: string | null;
  readonly receiver: string | null;
  readonly state: string;
}

const textOf = (row: UnrecordedContent): string =>
  JSON.stringify([
    ...[row.id, row.rail, row.source, row.reference, row.spend, row.first_nonce, row.last_nonce, row.payout_id],
    ...[row.currency, row.parts, row.receiver, row.state],
  ]);

/** Returns the MAC of an unrecorded send. */
export const unrecordedMac = (row: UnrecordedContent): string => macOf('unrecorded', textOf(row));

/** Returns true if we wrote the row unchanged: a decision that somebody inserted by SQL has no effect. */
export const isUnrecordedAsWritten = (row: UnrecordedContent & { readonly mac: string | null }): boolean =>
  isMac('unrecorded', textOf(row), row.mac);

/** Returns the name of one payment among several of a transaction: the transaction and the payment's number. */
export const nameAmongSeveral = (transaction: string, index: number): string => `${transaction}:${index}`;

/** Returns the transaction in a payment's name, which may end with a number (`nameAmongSeveral`). */
export const transactionOf = (reference: string): string => /^(.+):\d+$/.exec(reference)?.[1] ?? reference;
