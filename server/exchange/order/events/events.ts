// What can happen to an order, and what the machine is told about the world. Types only.

import type { PriceTerms } from '@kurs/money';
import type { Returned } from '../../../payments/index.ts';
import type { Approval, Offer, Payment, RailAccount, SideAccount, Transfer } from '../order.ts';

/** An event with what it carries. */
export type OrderEvent =
  | { readonly type: PlainEvent }
  | { readonly type: 'payin_seen' | 'payin_final'; readonly payment: Payment }
  | { readonly type: 'payin_dropped'; readonly payment: string }
  | { readonly type: 'dispute_won'; readonly payment: string; readonly parts: bigint }
  /** `stopped`: payments has stopped its payout, so nothing of it can leave. */
  | { readonly type: 'payin_reversed'; readonly payment: string; readonly parts: bigint; readonly stopped?: true }
  | { readonly type: 'freeze'; readonly stopped?: true }
  | { readonly type: 'choose_continue' | 'choose_new_order' | 'take_back'; readonly offer: number }
  | {
      readonly type: 'give_route' | 'new_account' | 'claim' | 'op_claim';
      readonly account: SideAccount;
    }
  /** `ours`: the cause is the desk's, so nothing is taken off. */
  | { readonly type: 'op_refund' | 'decide_refund'; readonly ours: boolean }
  /** `asks`: they are asked, whatever the rate. */
  | { readonly type: 'release'; readonly asks?: true }
  | { readonly type: 'approve'; readonly people: number }
  | { readonly type: 'transfer_sent'; readonly txid?: string }
  /** `passing` (transient): trying again may help (no float, the rail was down). `kept`: it was stopped, and nothing of it is posted yet. */
  | { readonly type: 'transfer_failed'; readonly passing: boolean; readonly kept?: true }
  /** `back`: how much of it came back, where that is less than was sent, and what of the rest the desk bears. */
  | { readonly type: 'transfer_returned'; readonly back?: Returned }
  /** What is here settles so much of what is owed for another order. */
  | { readonly type: 'settle_debt'; readonly debt: string; readonly parts: bigint }
  /** Another payment has settled so much of what is owed for this order. */
  | { readonly type: 'repaid'; readonly parts: bigint }
  /** `evidence`: why it won't come back; without it, only once it is old enough. */
  | { readonly type: 'write_off'; readonly evidence: string };

/** Events that carry nothing. */
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
/** The event of one name. */
export type EventOf<N extends EventName> = Carrying<OrderEvent, N>;
type Carrying<E, N> = E extends { readonly type: infer T } ? (N extends T ? E & { readonly type: N } : never) : never;

/** Windows and bounds of the machine, in milliseconds where they are times. */
export interface Rules {
  readonly offer: number;
  readonly choice: number;
  readonly hold: number;
  readonly approval: number;
  /** A hold that ended within this time leaves the rate as it was, although papers were asked for. */
  readonly keepRate: number;
  /** Percent by which the current rate may be better for a customer who is late, so that the order goes on by itself. */
  readonly better: number;
  readonly retries: number;
  /** How long a receivable stands before it can be written off without proof. */
  readonly writeOff: number;
}

/** What the machine is told about the world at one moment. All of it is decided by the caller, so that deciding is pure. */
export interface Context {
  readonly now: Date;
  readonly rules: Rules;
  readonly newId: () => string;
  /** The desk's free money: of the unit got what can be promised, of the unit given and that of coupons what there is. */
  readonly free: { readonly get: bigint; readonly give: bigint; readonly reward?: bigint };
  /** What the place where the pay-in in question arrived still holds. */
  readonly held: bigint;
  /** The current price and, for buying back, that of the reverse direction; absent while the direction is closed. */
  readonly market?:
    | {
        readonly terms: PriceTerms;
        readonly back?: PriceTerms;
        readonly version: string;
      }
    | undefined;
  /** Uses of its coupons that are free, and that it may take again by going on after all. */
  readonly again?: ReadonlySet<string> | undefined;
  /** Whether limits, stretched by 10 %, allow an exchange of so much. */
  readonly allows: (give: bigint) => boolean;
  /** How an exchange that gives so much is let out: by itself, by people, or after a wait for what can be taken back. */
  readonly approvalFor: (got: bigint) => Approval;
  /**
   * What the customer of the order in question owes: shown to be theirs, or sharing only what somebody typed; or they are
   * blocked.
   */
  readonly owes?: 'shown' | 'typed' | 'blocked' | undefined;
  /** What screening says of the payment that just became final; a silent one is `hard`. */
  readonly screening: 'clean' | 'soft' | 'hard';
}

/** What has to be done in the same transaction, beside the postings. */
export type Effect =
  | { readonly do: 'request_payout'; readonly transfer: Transfer; readonly account: RailAccount }
  | {
      readonly do: 'open_unallocated';
      readonly id: string;
      readonly pieces: readonly Payment[];
      /** The part of its money that belongs to no payment: another order's payment had settled it. */
      readonly settled?: bigint;
      /** Screening flagged it: it waits for a person, or for papers. `debt`: its customer owes, and people decide. */
      readonly held?: 'soft' | 'hard' | 'debt';
    }
  | {
      readonly do: 'open_order';
      readonly id: string;
      /** What it takes over: less than its payments where sending some of it back has cost something. */
      readonly parts: bigint;
      readonly offer: Offer;
      readonly payments: readonly Payment[];
    };

/** Why an event doesn't happen. Facts are never refused. */
export type Refusal = 'order_changed' | 'choice_not_open' | 'offer_expired' | 'action_not_open' | 'not_due';

export interface Refused {
  readonly refused: Refusal;
}
