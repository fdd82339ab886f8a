// A payment towards an owner, as stored with the owner. Pure.

import type { Place } from '../ledger/index.ts';
import type { PayinBody } from '../payments/index.ts';

/** An account at a rail: checked canonical fields, and one line that identifies it. */
export interface RailAccount {
  readonly fields: Readonly<Record<string, string>>;
  readonly key: string;
}

/** A payment towards an owner. `parts` counts for the owner; what exceeds the terms is unallocated. */
export interface Payment {
  readonly id: string;
  readonly parts: bigint;
  readonly status: 'seen' | 'final' | 'reversed';
  /** Custody where it arrived. */
  readonly place: Place;
  readonly txid: string;
  /** Time of the payment as reported by payments, and our last poll before that, if known. Nobody polled in between. */
  readonly seenAt: Date;
  readonly seenAfter?: Date;
  /** True if the payment's fee gets it into one of the next 6 blocks, by our estimate. */
  readonly isFeeOk: boolean;
  readonly firstConfirmedAt?: Date;
  readonly confirmations: number;
  readonly needed: number;
  /** Account that a refund goes to, on rails that return money to its sender. */
  readonly source?: RailAccount;
  /** Part that its provider retained. A refund caused by the customer does not return it. */
  readonly retained?: bigint;
}

/** Returns a payment from the event's body. */
export function paymentOf(body: PayinBody, status: Payment['status']): Payment {
  return {
    id: body.payinId,
    parts: BigInt(body.parts),
    status,
    place: body.place,
    txid: body.txid,
    seenAt: new Date(body.seenAt),
    ...(body.seenAfter !== undefined && { seenAfter: new Date(body.seenAfter) }),
    isFeeOk: body.isFeeOk,
    ...(body.firstConfirmedAt !== undefined && { firstConfirmedAt: new Date(body.firstConfirmedAt) }),
    confirmations: body.confirmations,
    needed: body.needed,
    ...(body.source && { source: body.source }),
    ...(body.retained !== undefined && { retained: BigInt(body.retained) }),
  };
}
