import type { Account, PayWay, Redeemed } from '../../rails/rail.ts';
import type { Owner } from './owner.ts';

/**
 * The events that payments publishes. Their subject is the owner, written `order:<id>`. Amounts are parts of the unit as
 * decimal text, times ISO 8601 by the database's clock, so that a body is plain JSON.
 */
export const PAYIN_EVENT = 'payments.payin';
/**
 * A final pay-in lies so deep that it is no exposure any more: once, and again where it was taken back and is back. A
 * `PayinBody`.
 */
export const PAYIN_DEEP_EVENT = 'payments.payin_deep';
export const PAYOUT_EVENT = 'payments.payout';
export const WAY_EVENT = 'payments.way';

/**
 * - `seen`: it is there, not yet final. `progress`: it is in a block, fewer confirm it than before, or what they must
 *   reach has changed; other confirmations are reckoned as they are read (`confirmationsOf`).
 * - `final`: deep enough for its sum, credit it. A payment that is final at first sight gives only `final`.
 * - `dropped`: it never was final and is gone by evidence, or was given up after 14 days without a block.
 * - `reversed`: it had been final and is gone by evidence: a reorg, or its provider took it back.
 *
 * Per pay-in the events alternate: after `dropped` only `seen` or `final` can follow, after `final` only `reversed`,
 * after `reversed` only `seen` or `final`; those two then say `again`. What is told with a `part` is about that much of a
 * payment whose rest stays as it is: `reversed` that it was taken back, `final` that it is there again.
 */
export type PayinEvent = 'seen' | 'progress' | 'final' | 'dropped' | 'reversed';

export interface PayinBody {
  readonly payinId: string;
  readonly owner: Owner;
  readonly event: PayinEvent;
  /** The currency that arrived, its unit, and where in custody it now lies: `custody(currency, place, unit)`. */
  readonly currency: string;
  readonly unit: string;
  readonly place: 'hot' | 'deposit';
  readonly parts: string;
  readonly txid: string;
  readonly from: readonly string[];
  /** Pays a fee that our estimate puts within 6 blocks and can't be replaced; true for what is in a block. */
  readonly feeOk: boolean;
  /**
   * When it was paid, by the rail's own clock where that tells, bounded by our looks; anew when a dropped payment comes back.
   * `seenAfter`: our last look before that which came to the end and did not show it: while we could not look, nobody can
   * say when in between it was paid.
   */
  readonly seenAt: string;
  readonly seenAfter?: string;
  /** When it got into a block, by the same clock and bounds. */
  readonly firstConfirmedAt?: string;
  readonly confirmations: number;
  /** Confirmations after which it is final; where the chain's own `finalized` is asked for, about how many that takes. */
  readonly needed: number;
  /** It had been dropped or reversed before and is back. */
  readonly again?: true;
  /** It arrived in another currency than this address was handed out for. */
  readonly foreign?: true;
  /** The account that a refund of this very payment goes to, where its rail gives back to where it came from. */
  readonly source?: Account;
  /** For a final payment: the fee that its provider kept, in minor units. */
  readonly kept?: string;
  /** For a payment that is partly taken back or comes back: how much, in minor units. Absent: all. */
  readonly part?: string;
  /** Why it was dropped or reversed. `replaced`: what it spends was spent by another that is in a block. */
  readonly reason?: 'replaced' | 'given_up' | 'reorg' | 'chargeback';
}

/**
 * - `send`: the worker has it signed and stored, from here it can't be stopped · `accepted`: the rail has it, `txid` in hand ·
 *   `refused`: a definite no, nothing moved
 * - `unknown`: no clear answer · `found`, `absent`: the look-up's word, `absent` only when it is conclusive ·
 *   `resend`: the same reference and bytes go out again · `dedupe_over`: from here only look-up or people
 * - `progress`: what was accepted is in a block, or fewer confirm it than before · `final`: deep enough · `vanished`: dropped or reorged, the same bytes go out again
 * - `kept`: its owner, asked once more, did not let it leave: it was stopped, and nothing of it ever was out
 * - `returned`: it had been accepted and the money is back in our hands
 * - `found_late`: it had counted as not sent and was sent after all; nothing else of the same party leaves before people have
 *   decided · `late_back`: that came back, too · `late_settled`: they have
 *   decided
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
  readonly passing?: true;
  /** With `returned`: how much came back, in minor units; absent: all. The desk bears what is missing, unless `byReceiver`. */
  readonly back?: string;
  readonly byReceiver?: true;
  /** Of `found_late` and `late_back`: what is owed for all that turned up of it, in parts. Absent for other events. */
  readonly owed?: string;
  /** With `late_settled`: another late send of the same party is open. */
  readonly others?: true;
  /** Decided by two people from the rail's own statement, which is kept with the payout. */
  readonly resolved?: true;
}

export type PayoutPurpose = 'payout' | 'refund' | 'capital' | 'rebalance';

/**
 * What became of a payment's preparation at a provider. `ready`: how it is paid · `refused`: the provider won't take it ·
 * `entry_refused`: what the customer entered is no good, and nothing was taken · `entry_taken`: it is looked at.
 */
export interface WayBody {
  readonly owner: Owner;
  readonly event: 'ready' | 'refused' | 'entry_refused' | 'entry_taken';
  readonly way?: PayWay;
  readonly reason?: Extract<Redeemed, { outcome: 'refused' }>['reason'];
}
