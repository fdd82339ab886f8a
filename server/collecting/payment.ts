// A payment towards something, and its pieces: what exceeds, what is taken back in part, what comes back. Pure.

import type { Place } from '../ledger/index.ts';
import type { PayinBody } from '../payments/index.ts';

/** An account at a rail: checked canonical fields, and one line that identifies it. */
export interface RailAccount {
  readonly fields: Readonly<Record<string, string>>;
  readonly key: string;
}

/** A payment towards something. `parts` is what counts for that: what exceeds it is unallocated. */
export interface Payment {
  readonly id: string;
  readonly parts: bigint;
  readonly standing: 'seen' | 'final' | 'reversed';
  /** Where it arrived. */
  readonly place: Place;
  readonly txid: string;
  /** When it was paid, as payments tells it, and our last look before that, if that is known: in between nobody looked. */
  readonly seenAt: Date;
  readonly seenAfter?: Date;
  /** Pays a fee that our estimate puts within 6 blocks. */
  readonly feeOk: boolean;
  readonly firstConfirmedAt?: Date;
  readonly confirmations: number;
  readonly needed: number;
  /** Where a refund of this very payment goes, where its rail gives back to where it came from. */
  readonly source?: RailAccount;
  /** What its provider kept of it, in parts: not given back with a refund that the customer is the cause of. */
  readonly kept?: bigint;
}

/** A payment as payments tells of it. */
export function paymentOf(body: PayinBody, standing: Payment['standing']): Payment {
  return {
    id: body.payinId,
    parts: BigInt(body.parts),
    standing,
    place: body.place,
    txid: body.txid,
    seenAt: new Date(body.seenAt),
    ...(body.seenAfter !== undefined && { seenAfter: new Date(body.seenAfter) }),
    feeOk: body.feeOk,
    ...(body.firstConfirmedAt !== undefined && { firstConfirmedAt: new Date(body.firstConfirmedAt) }),
    confirmations: body.confirmations,
    needed: body.needed,
    ...(body.source && { source: body.source }),
    ...(body.kept !== undefined && { kept: BigInt(body.kept) }),
  };
}
