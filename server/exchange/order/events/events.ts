// Events that can happen to an order, and the machine's context for deciding them. Types only.

import type { PriceTerms } from '@kurs/money';
import type { AccountRef } from '../../../ledger/index.ts';
import type { Returned } from '../../../payments/index.ts';
import type { Approval, Offer, Payment, RailAccount, SideAccount, Transfer } from '../order.ts';

/** An event with its data. */
export type OrderEvent =
  | { readonly type: PlainEvent }
  | { readonly type: 'payin_seen' | 'payin_final'; readonly payment: Payment }
  | { readonly type: 'payin_dropped'; readonly payment: string }
  | { readonly type: 'dispute_won'; readonly payment: string; readonly parts: bigint }
  /** `isStopped`: the payments room has stopped the order's payout, so none of the order's money can leave. */
  | { readonly type: 'payin_reversed'; readonly payment: string; readonly parts: bigint; readonly isStopped?: true }
  | { readonly type: 'freeze'; readonly isStopped?: true }
  | { readonly type: 'choose_continue' | 'choose_new_order' | 'take_back'; readonly offer: number }
  | {
      readonly type: 'give_route' | 'new_account' | 'claim' | 'op_claim';
      readonly account: SideAccount;
    }
  /** `isOurs`: the desk caused the refund, so no cost is deducted. */
  | { readonly type: 'op_refund' | 'decide_refund'; readonly isOurs: boolean }
  /** `isCustomerAsked`: the customer is asked to choose in any case, even if the rate is still locked. */
  | { readonly type: 'release'; readonly isCustomerAsked?: true }
  /** Another owner takes the money into its account `to`. */
  | { readonly type: 'take_over'; readonly to: AccountRef }
  | { readonly type: 'approve'; readonly people: number }
  | { readonly type: 'transfer_sent'; readonly txid?: string }
  /**
   * `isTransient`: another try may help (no float, the rail was down). `isRetained`: the send was stopped, and its intent's
   * reversal is not posted yet.
   */
  | { readonly type: 'transfer_failed'; readonly isTransient: boolean; readonly isRetained?: true }
  /** `back`: the amount that came back, if it is less than was sent, and the desk's share of the loss. */
  | { readonly type: 'transfer_returned'; readonly back?: Returned }
  /** Money of this order settles `parts` of the debt of another order. */
  | { readonly type: 'settle_debt'; readonly debt: string; readonly parts: bigint }
  /** Another payment has settled `parts` of this order's debt. */
  | { readonly type: 'repaid'; readonly parts: bigint }
  /** `evidence`: why the money won't come back. If it is empty, the debt must be old enough. */
  | { readonly type: 'write_off'; readonly evidence: string };

/** Events without data. */
export type PlainEvent =
  | 'cancel'
  | 'lock_over'
  | 'window_over'
  | 'rate_over'
  | 'take_short'
  | 'go_on_better'
  | 'choose_refund'
  | 'deadline'
  | 'op_hold'
  | 'papers_asked'
  | 'papers_came'
  | 'hold_rate_over'
  | 'clearing_over'
  | 'unfreeze'
  | 'surrender'
  | 'stop'
  | 'transfer_final'
  | 'retry'
  | 'op_retry'
  | 'settle_reversal';

export type EventName = OrderEvent['type'];
/** The event with a given name. */
export type EventOf<N extends EventName> = Carrying<OrderEvent, N>;
type Carrying<E, N> = E extends { readonly type: infer T } ? (N extends T ? E & { readonly type: N } : never) : never;

/** Time limits (in ms) and other limits of the machine. */
export interface Rules {
  readonly offer: number;
  readonly choice: number;
  readonly hold: number;
  readonly approval: number;
  /** Longest hold after which the locked rate stays valid even if papers were requested. */
  readonly keepRate: number;
  /** Largest advantage of the current rate over the locked one, in percent, with which a late order goes on automatically. */
  readonly better: number;
  readonly retries: number;
  /** Age from which a receivable can be written off without proof. */
  readonly writeOff: number;
}

/** All data besides the order that the machine needs for a decision. The caller reads it beforehand, so that the decision is pure. */
export interface Context {
  readonly now: Date;
  readonly rules: Rules;
  readonly newId: () => string;
  /**
   * The desk's free money, in parts. `get`: amount of the unit got that can be promised. `give`: balance in the unit given.
   * `reward`: balance in the unit of rewards.
   */
  readonly free: { readonly get: bigint; readonly give: bigint; readonly reward?: bigint };
  /** Balance of the custody account where the pay-in of this event arrived. */
  readonly held: bigint;
  /**
   * The current terms of the direction; absent while it has no trustworthy price. `back`: terms of the reverse direction, for
   * buying a payout back.
   */
  readonly market?:
    | {
        readonly terms: PriceTerms;
        readonly back?: PriceTerms;
        readonly version: string;
      }
    | undefined;
  /** Coupon uses that the order has released and may take again if it goes on after all. */
  readonly again?: ReadonlySet<string> | undefined;
  /** True if the customer's limits, raised by 10 %, allow an exchange of this amount given. */
  readonly allows: (give: bigint) => boolean;
  /** Returns how a payout of this amount is released: automatically, by people, or after the clearing period of a reversible payment. */
  readonly approvalFor: (got: bigint) => Approval;
  /**
   * Debt or block of the order's customer. `shown`: proven to be the debtor. `typed`: shares only typed data with a debtor.
   * `blocked`: proven to be blocked. Undefined if there is none.
   */
  readonly owes?: 'shown' | 'typed' | 'blocked' | undefined;
  /** Screening's verdict on the payment that just became final. If the service didn't answer, the verdict is `hard`. */
  readonly screening: 'clean' | 'soft' | 'hard';
}

/** Work that a decision causes besides its postings, in the same transaction. */
export type Effect =
  | { readonly do: 'request_payout'; readonly transfer: Transfer; readonly account: RailAccount }
  | {
      readonly do: 'open_unallocated';
      readonly id: string;
      readonly pieces: readonly Payment[];
      /** Part of the unallocated money that comes from none of its payments: money of another order, which had settled a debt. */
      readonly settled?: bigint;
      /**
       * The unallocated payment is held. `hard`, `soft`: screening flagged it, so it waits for a person or for papers. `debt`:
       * its customer owes money, so people decide.
       */
      readonly held?: 'soft' | 'hard' | 'debt';
    }
  | {
      readonly do: 'open_order';
      readonly id: string;
      /** Amount that the new order takes over. Less than the payments if sending back a part of the money has had a cost. */
      readonly parts: bigint;
      readonly offer: Offer;
      readonly payments: readonly Payment[];
    };

/** Reason why an action is refused. Events that report facts are never refused. */
export type Refusal = 'order_changed' | 'choice_not_open' | 'offer_expired' | 'action_not_open' | 'not_due';

export interface Refused {
  readonly refused: Refusal;
}
