// A payment as stored with its owner. Pure.

import type { Place } from '../ledger/index.ts';
import type { PayinBody } from '../payments/index.ts';

/** An account at a rail. `fields`: checked and canonical. `key`: one line that identifies the account. */
export interface RailAccount {
  readonly fields: Readonly<Record<string, string>>;
  readonly key: string;
}

/**
 * A payment to an owner. `parts`: the amount credited to the owner, without the excess beyond the terms, which is unallocated.
 */
export interface Payment {
  readonly id: string;
  readonly parts: bigint;
  readonly status: 'seen' | 'final' | 'reversed';
  /** Place in custody where the payment arrived. */
  readonly place: Place;
  readonly txid: string;
  /** Time of the payment, as the payments room reports it. */
  readonly seenAt: Date;
  /** Time of the last complete poll that did not show the payment, if known: the payment was made after it. */
  readonly seenAfter?: Date;
  /**
   * True if the payment is in a block. Before that, true if it can't be replaced and, by our estimate, its fee gets it into one
   * of the next 6 blocks.
   */
  readonly isFeeOk: boolean;
  readonly firstConfirmedAt?: Date;
  readonly confirmations: number;
  readonly needed: number;
  /** Account that a refund goes to, on rails that return money to its sender. */
  readonly source?: RailAccount;
  /** Part of the payment that its provider retained, in parts. A refund caused by the customer leaves this part out. */
  readonly retained?: bigint;
}

/** Returns a payment with the data of an event's body. */
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
