import type { Account, PayWay, Redeemed } from '../../rails/rail.ts';
import type { Owner } from './owner.ts';

/**
 * Kind of the events about pay-ins. The subject of such an event is the payment's owner, such as `order:<id>`. Its body is plain
 * JSON: amounts are parts of the unit as decimal text, and times are ISO 8601 by the database's clock.
 */
export const PAYIN_EVENT = 'payments.payin';
/**
 * Kind of the events about final pay-ins that have become too deep for any reorg that we expect. Published once per pay-in, and
 * again if the pay-in was taken back and returned. The body is a `PayinBody`.
 */
export const PAYIN_DEEP_EVENT = 'payments.payin_deep';
export const PAYOUT_EVENT = 'payments.payout';
export const WAY_EVENT = 'payments.way';

/**
 * Changes of a pay-in:
 *
 * - `seen`: the payment is on the rail, not yet final
 * - `progress`: the payment got into a block, a reorg took confirmations, or the needed depth has changed. Pages compute
 *   further confirmations themselves (`confirmationsOf`).
 * - `final`: the payment has the depth that its amount needs, and is to be credited. A payment that is final at first sight has
 *   only this event.
 * - `dropped`: the payment was never final, and is proven gone or was given up after 14 days without a block
 * - `reversed`: the payment had been final, and is proven gone by a reorg, or its provider took it back
 *
 * After `dropped` or `reversed`, only `seen` or `final` can follow, and `isBack` is set. After `final`, only `reversed` can
 * follow. An event with `part` is about that amount only, and the rest of the payment is unchanged. Then `reversed` means that
 * the amount was taken back, and `final` that it is there again.
 */
export type PayinEvent = 'seen' | 'progress' | 'final' | 'dropped' | 'reversed';

export interface PayinBody {
  readonly payinId: string;
  readonly owner: Owner;
  readonly event: PayinEvent;
  /** Currency that arrived. */
  readonly currency: string;
  /** Unit of the currency. */
  readonly unit: string;
  /** Place in custody where the payment arrived: `custody(currency, place, unit)`. */
  readonly place: 'hot' | 'deposit';
  readonly parts: string;
  readonly txid: string;
  readonly from: readonly string[];
  /**
   * True if the payment is in a block. Before that, true if it can't be replaced and, by our estimate, its fee gets it into one
   * of the next 6 blocks.
   */
  readonly isFeeOk: boolean;
  /**
   * Time of the payment by the rail's own clock if it has one, within the bounds of our polls. A dropped payment that comes back
   * has a new time.
   */
  readonly seenAt: string;
  /** Start of our last complete poll that did not show the payment. The payment was made between then and `seenAt`. */
  readonly seenAfter?: string;
  /** Time when the payment got into a block, by the same clock and within the same bounds as `seenAt`. */
  readonly firstConfirmedAt?: string;
  readonly confirmations: number;
  /**
   * Number of confirmations that make the payment final. Only an estimate if the payment is final once the chain itself reports
   * its block as `finalized`.
   */
  readonly needed: number;
  /** Set if the payment had been dropped or reversed before, and has come back. */
  readonly isBack?: true;
  /** Set if the payment arrived in another currency than its address was handed out for. */
  readonly isForeign?: true;
  /** Account to refund to, on rails that return money to its sender. */
  readonly source?: Account;
  /** For a final payment: fee that its provider retained, in parts. */
  readonly retained?: string;
  /** Amount that a partial reversal or return is about, in parts. Absent if the event is about the whole payment. */
  readonly part?: string;
  /** Reason for `dropped` or `reversed`. `replaced`: a transaction in a block spends the same inputs. */
  readonly reason?: 'replaced' | 'given_up' | 'reorg' | 'chargeback';
}

/**
 * Changes of a payout:
 *
 * - `send`: the worker has signed and stored the send, so the payout can't be stopped any more
 * - `accepted`: the rail accepted the send, with `txid`
 * - `refused`: definitely not sent; no money moved
 * - `unknown`: no clear answer
 * - `found`, `absent`: results of looking the send up; `absent` only if the look-up proves that the send never happens
 * - `resend`: the same bytes with the same reference are sent again
 * - `dedupe_over`: the provider may no longer recognise the reference; only look-ups or people decide
 * - `progress`: an accepted send got into a block, or a reorg took confirmations
 * - `final`: the send has the needed depth
 * - `vanished`: the send was dropped or lost its block; the same bytes are sent again
 * - `kept`: the owner did not let the payout leave; it was stopped and never sent
 * - `returned`: the send had been accepted, and its money is back in our hands
 * - `found_late`: the payout had been treated as not sent, and was sent after all. No other payout of its party leaves until
 *   people decide
 * - `late_back`: the money of a `found_late` payout came back
 * - `late_settled`: people have decided about a `found_late` payout
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
  /** With `refused` and `absent`: set if the cause was transient, so that the same account may be tried again. */
  readonly isTransient?: true;
  /**
   * With `returned` and `late_back`: amount that came back, in parts; absent if the whole amount did. The desk bears the rest,
   * unless `isBorneByReceiver` is set.
   */
  readonly back?: string;
  /** Set if the receiver retained the rest of a returned payout. Then the owner bears the rest, not the desk. */
  readonly isBorneByReceiver?: true;
  /** With `found_late` and `late_back`: amount that is owed now for this payout's late sends, in parts. */
  readonly owed?: string;
  /** With `late_settled`: set if another late send of the same party is open. */
  readonly hasOthers?: true;
  /** Set if two people decided the payout by the rail's own statement, which is stored with the payout. */
  readonly isResolved?: true;
}

export type PayoutPurpose = 'payout' | 'refund' | 'capital' | 'rebalance';

/**
 * Result of preparing a payment at a provider, or of a customer's voucher. `ready`: the way to pay · `refused`: the provider
 * doesn't accept the payment · `entry_refused`: the entered voucher is invalid, and was not taken · `entry_taken`: the entered
 * voucher is being checked.
 */
export interface WayBody {
  readonly owner: Owner;
  readonly event: 'ready' | 'refused' | 'entry_refused' | 'entry_taken';
  readonly way?: PayWay;
  readonly reason?: Extract<Redeemed, { outcome: 'refused' }>['reason'];
}
