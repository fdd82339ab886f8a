import type { Account, PayWay, Redeemed } from '../../rails/rail.ts';
import type { Owner } from './owner.ts';

/**
 * Events that payments publishes. Their subject is the owner, written `order:<id>`. Amounts are parts of the unit as decimal
 * text, times ISO 8601 by the database's clock, so a body is plain JSON.
 */
export const PAYIN_EVENT = 'payments.payin';
/**
 * A final pay-in is so deep that it is no longer exposed. Published once, and again if it was taken back and returned. Body:
 * `PayinBody`.
 */
export const PAYIN_DEEP_EVENT = 'payments.payin_deep';
export const PAYOUT_EVENT = 'payments.payout';
export const WAY_EVENT = 'payments.way';

/**
 * - `seen`: the payment is there, not yet final
 * - `progress`: it is in a block, or a reorg took confirmations, or the depth it needs has changed. Pages compute other
 * confirmations themselves (`confirmationsOf`).
 * - `final`: deep enough for its sum, credit it. A payment that is final at first sight gives only `final`.
 * - `dropped`: it never was final and is proven gone, or was given up after 14 days without a block
 * - `reversed`: it had been final and is proven gone: a reorg, or its provider took it back
 *
 * Per pay-in the events alternate: after `dropped` only `seen` or `final` can follow, after `final` only `reversed`, after
 * `reversed` only `seen` or `final`; those two then carry `isBack`. An event with a `part` is about that part of a payment, whose
 * rest is unchanged: `reversed` says that the part was taken back, `final` that it is there again.
 */
export type PayinEvent = 'seen' | 'progress' | 'final' | 'dropped' | 'reversed';

export interface PayinBody {
  readonly payinId: string;
  readonly owner: Owner;
  readonly event: PayinEvent;
  /** Currency that arrived, its unit, and its place in custody: `custody(currency, place, unit)`. */
  readonly currency: string;
  readonly unit: string;
  readonly place: 'hot' | 'deposit';
  readonly parts: string;
  readonly txid: string;
  readonly from: readonly string[];
  /**
   * True if its fee gets it into one of the next 6 blocks, by our estimate, and it can't be replaced; true once it is in a block.
   */
  readonly isFeeOk: boolean;
  /**
   * Time of the payment by the rail's own clock if it has one, within the bounds of our polls; a new time if a dropped payment
   * comes back. `seenAfter`: our last complete poll before that, which did not show it. The payment was made in between.
   */
  readonly seenAt: string;
  readonly seenAfter?: string;
  /** Time at which it got into a block, by the same clock and bounds. */
  readonly firstConfirmedAt?: string;
  readonly confirmations: number;
  /** Confirmations after which it is final; if the chain's own `finalized` decides, their approximate number. */
  readonly needed: number;
  /** It had been dropped or reversed before and is back. */
  readonly isBack?: true;
  /** It arrived in another currency than this address was handed out for. */
  readonly isForeign?: true;
  /** Account that a refund goes to, on rails that return money to its sender. */
  readonly source?: Account;
  /** For a final payment: the fee that its provider retained, in minor units. */
  readonly retained?: string;
  /** Amount of a partial reversal or return, in minor units. Absent: all. */
  readonly part?: string;
  /** Why it was dropped or reversed. `replaced`: a transaction in a block spends the same inputs. */
  readonly reason?: 'replaced' | 'given_up' | 'reorg' | 'chargeback';
}

/**
 * - `send`: the worker has it signed and stored, so it can't be stopped any more
 * - `accepted`: the rail has it, with `txid`
 * - `refused`: definitely not sent, nothing moved
 * - `unknown`: no clear answer
 * - `found`, `absent`: results of a look-up; `absent` only if it is conclusive
 * - `resend`: the same reference and bytes go out again
 * - `dedupe_over`: the rail no longer recognises the reference; only look-ups or people decide
 * - `progress`: an accepted payout is in a block, or a reorg took confirmations
 * - `final`: deep enough
 * - `vanished`: dropped or reorged, the same bytes go out again
 * - `kept`: its owner did not let it leave; it was stopped and never sent
 * - `returned`: it had been accepted, and the money is back in our hands
 * - `found_late`: it had counted as not sent and was sent after all; nothing else of the same party leaves until people decide
 * - `late_back`: that money came back, too
 * - `late_settled`: people have decided
 */
export type PayoutEvent =
  | 'send'
  | 'accepted'
  | 'refused'
  | 'unknown'
  | 'found'
  | 'absent'
  | 'resend'
  | 'dedupe_over'
  | 'progress'
  | 'final'
  | 'vanished'
  | 'kept'
  | 'returned'
  | 'found_late'
  | 'late_back'
  | 'late_settled';

export interface PayoutBody {
  readonly intentId: string;
  readonly owner: Owner;
  readonly event: PayoutEvent;
  readonly purpose: PayoutPurpose;
  readonly currency: string;
  readonly unit: string;
  readonly parts: string;
  readonly txid?: string;
  readonly reason?: string;
  readonly confirmations?: number;
  readonly needed?: number;
  /** With `refused` and `absent`: the cause was transient, so the same account may be tried again. */
  readonly isTransient?: true;
  /** With `returned`: the amount that came back, in minor units; absent: all. The desk bears the rest, unless `isBorneByReceiver`. */
  readonly back?: string;
  readonly isBorneByReceiver?: true;
  /** With `found_late` and `late_back`: the amount owed for all that was found late of this payout, in parts. */
  readonly owed?: string;
  /** With `late_settled`: another late send of the same party is open. */
  readonly hasOthers?: true;
  /** Decided by two people from the rail's own statement, which is stored with the payout. */
  readonly isResolved?: true;
}

export type PayoutPurpose = 'payout' | 'refund' | 'capital' | 'rebalance';

/**
 * Result of preparing a payment at a provider. `ready`: the way to pay it · `refused`: the provider doesn't accept it ·
 * `entry_refused`: the customer's entry is invalid, and nothing was taken · `entry_taken`: the entry is being checked.
 */
export interface WayBody {
  readonly owner: Owner;
  readonly event: 'ready' | 'refused' | 'entry_refused' | 'entry_taken';
  readonly way?: PayWay;
  readonly reason?: Extract<Redeemed, { outcome: 'refused' }>['reason'];
}
