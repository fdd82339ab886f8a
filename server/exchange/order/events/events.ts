// Events that can happen to an order, and the machine's view of the world. Types only.

import type { PriceTerms } from '@kurs/money';
import type { Returned } from '../../../payments/index.ts';
import type { Approval, Offer, Payment, RailAccount, SideAccount, Transfer } from '../order.ts';

/** An event with its data. */
export type OrderEvent =
  | { readonly type: PlainEvent }
  | { readonly type: 'payin_seen' | 'payin_final'; readonly payment: Payment }
  | { readonly type: 'payin_dropped'; readonly payment: string }
  | { readonly type: 'dispute_won'; readonly payment: string; readonly parts: bigint }
  /** `isStopped`: payments has stopped the order's payout, so nothing of it can leave. */
  | { readonly type: 'payin_reversed'; readonly payment: string; readonly parts: bigint; readonly isStopped?: true }
  | { readonly type: 'freeze'; readonly isStopped?: true }
  | { readonly type: 'choose_continue' | 'choose_new_order' | 'take_back'; readonly offer: number }
  | {
      readonly type: 'give_route' | 'new_account' | 'claim' | 'op_claim';
      readonly account: SideAccount;
    }
  /** `isOurs`: the desk caused the refund, so no cost is deducted. */
  | { readonly type: 'op_refund' | 'decide_refund'; readonly isOurs: boolean }
  /** `isCustomerAsked`: the customer is asked, whatever the rate. */
  | { readonly type: 'release'; readonly isCustomerAsked?: true }
  | { readonly type: 'approve'; readonly people: number }
  | { readonly type: 'transfer_sent'; readonly txid?: string }
  /**
   * `isTransient`: another try may help (no float, the rail was down). Second flag: the send was stopped, and nothing of
   * it is posted yet.
   */
  | { readonly type: 'transfer_failed'; readonly isTransient: boolean; readonly isRetained?: true }
  /** `back`: the part that came back, if that is less than was sent, and the desk's share of the loss. */
  | { readonly type: 'transfer_returned'; readonly back?: Returned }
  /** Money of this order settles `parts` of the debt of another order. */
  | { readonly type: 'settle_debt'; readonly debt: string; readonly parts: bigint }
  /** Another payment has settled `parts` of this order's debt. */
  | { readonly type: 'repaid'; readonly parts: bigint }
  /** `evidence`: why the money won't come back. Without evidence the debt must be old enough. */
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

/** Windows and limits of the machine; times in ms. */
export interface Rules {
  readonly offer: number;
  readonly choice: number;
  readonly hold: number;
  readonly approval: number;
  /** After a hold shorter than this the locked rate stays valid, although papers were requested. */
  readonly keepRate: number;
  /** Percent by which the current rate must be better for a late order to go on automatically. */
  readonly better: number;
  readonly retries: number;
  /** Age at which a receivable can be written off without proof. */
  readonly writeOff: number;
}

/** The world at one moment, as the machine sees it. The caller reads all of it beforehand, so that the decision is pure. */
export interface Context {
  readonly now: Date;
  readonly rules: Rules;
  readonly newId: () => string;
  /** The desk's free money: what can be promised of the unit got, and the balances of the unit given and of the coupons' pot. */
  readonly free: { readonly get: bigint; readonly give: bigint; readonly reward?: bigint };
  /** Balance of the place where the pay-in in question arrived. */
  readonly held: bigint;
  /** The current price and, for buying back, the price of the reverse direction; absent while the direction is closed. */
  readonly market?:
    | {
        readonly terms: PriceTerms;
        readonly back?: PriceTerms;
        readonly version: string;
      }
    | undefined;
  /** Free uses of the order's coupons, which the order may take again if it goes on after all. */
  readonly again?: ReadonlySet<string> | undefined;
  /** True if the limits, stretched by 10 %, allow an exchange that gives this amount. */
  readonly allows: (give: bigint) => boolean;
  /**
   * Returns how the payout of this amount is released: automatically, by people, or after the clearing period of a reversible
   * payment.
   */
  readonly approvalFor: (got: bigint) => Approval;
  /**
   * Debt of the order's customer. `shown`: the customer is proven to be the debtor. `typed`: they share only something that was
   * typed. `blocked`: the customer is blocked.
   */
  readonly owes?: 'shown' | 'typed' | 'blocked' | undefined;
  /** Screening's verdict on the payment that just became final; no answer counts as `hard`. */
  readonly screening: 'clean' | 'soft' | 'hard';
}

/** Work that belongs in the same transaction as the postings. */
export type Effect =
  | { readonly do: 'request_payout'; readonly transfer: Transfer; readonly account: RailAccount }
  | {
      readonly do: 'open_unallocated';
      readonly id: string;
      readonly pieces: readonly Payment[];
      /** The part of its money that belongs to no payment: another order's payment had settled it. */
      readonly settled?: bigint;
      /**
       * Screening flagged it: it waits for a person (`hard`) or for papers (`soft`). `debt`: its customer owes money, and people
       * decide.
       */
      readonly held?: 'soft' | 'hard' | 'debt';
    }
  | {
      readonly do: 'open_order';
      readonly id: string;
      /** Amount that the new order takes over: less than its payments if sending some of it back has cost something. */
      readonly parts: bigint;
      readonly offer: Offer;
      readonly payments: readonly Payment[];
    };

/** Reason why an action is refused. Events that report facts are never refused. */
export type Refusal = 'order_changed' | 'choice_not_open' | 'offer_expired' | 'action_not_open' | 'not_due';

export interface Refused {
  readonly refused: Refusal;
}
