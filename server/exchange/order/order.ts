// An order: its states, the words that customers read for them, and the facts about its money. Pure.

import type { Component, PriceTerms, Rate, PriceBreakdown } from '@kurs/money';
import type { Payment, RailAccount, Terms } from '../../collecting/index.ts';
import type { ReceiptPins } from './receipt-pins.ts';
import type { HeldUse } from '../../coupons/index.ts';
import type { AccountRef } from '../../ledger/index.ts';
import type { PayWay } from '../../payments/index.ts';
import type { Sent } from '../../referrals/index.ts';

/** All states of an order, each with a description of where the order's money is. */
export const STATE_WORDS = {
  awaiting: 'nothing came in; the desk’s promise stands in order:reserve',
  seen: 'final part in order:in; the reserve while in time',
  choosing: 'order:in; the reserve only while in time',
  holding: 'order:in; the reserve while the rate may be kept',
  approving: 'order:out, while people approve it or a reversible pay-in clears',
  paying: 'with its payout: payout:<intent>, or gone from custody',
  refunding: 'with the payout of its refund: payout:<intent>, or gone from custody',
  undelivered: 'order:out of a payout, order:in of a refund: proven back',
  unclaimed: 'unclaimed:<id>: owed without end',
  frozen: 'frozen:<id>: held by law',
  expired: 'nowhere; the address stays watched',
  cancelled: 'nowhere; the address stays watched',
  completed: 'with the customer',
  refunded: 'back with the customer',
  applied: 'its money became a new order’s, settled what was owed for another, or was taken by the invoice that it came for',
  reversed: 'nowhere: the pay-in was taken back before anything left',
  surrendered: 'with an authority',
  charged_back: 'with the customer; the pay-in was taken back: a receivable, or a loss',
} as const satisfies Record<string, string>;

export type { Payment, RailAccount };

export type OrderState = keyof typeof STATE_WORDS;

export const ORDER_STATES = Object.keys(STATE_WORDS) as readonly OrderState[];

/** Words that a customer reads for an order's status. */
export type OrderWord =
  | 'waiting'
  | 'seen'
  | 'confirming'
  | 'checking'
  | 'choose'
  | 'paying'
  | 'done'
  | 'expired'
  | 'cancelled'
  | 'refunding'
  | 'refunded'
  | 'rejected';

/** Word for each state; the type check demands one for every state. A payment's first confirmation turns `seen` into `confirming`. */
export const WORDS = {
  awaiting: 'waiting',
  seen: 'seen',
  choosing: 'choose',
  holding: 'checking',
  approving: 'checking',
  paying: 'paying',
  refunding: 'refunding',
  undelivered: 'choose',
  unclaimed: 'choose',
  frozen: 'checking',
  expired: 'expired',
  cancelled: 'cancelled',
  completed: 'done',
  refunded: 'refunded',
  applied: 'done',
  reversed: 'rejected',
  surrendered: 'rejected',
  charged_back: 'rejected',
} as const satisfies Record<OrderState, OrderWord>;

/**
 * Final states: an order may stay in them permanently. Except in `unclaimed`, `frozen` and `charged_back`, the order's accounts
 * are then empty.
 */
export const RESTING: ReadonlySet<OrderState> = new Set([
  'expired',
  'cancelled',
  'completed',
  'refunded',
  'unclaimed',
  'frozen',
  'reversed',
  'charged_back',
  'surrendered',
  'applied',
]);

/**
 * States in which the order's payout or refund is requested or on its way, so that the customer can decide nothing. The progress
 * is stored with the payout, not here.
 */
export const IN_FLIGHT: ReadonlySet<OrderState> = new Set(['paying', 'refunding']);

/** States in which a payment may still become the order's. In all others it becomes an unallocated payment. */
export const TAKES_PAYMENTS: ReadonlySet<OrderState> = new Set([
  'awaiting',
  'seen',
  'choosing',
  'expired',
  'cancelled',
  'reversed',
]);

/** States in which a refund account can be given or changed. */
export const TAKES_ROUTE: ReadonlySet<OrderState> = new Set(['choosing', 'approving', 'holding']);

/**
 * Actor of an event: customer (C), fact of a rail (R), the system and its timers (S), operator (O), compliance (K). A 2 after the
 * letter stands for two people. These letters are stored in orders' timelines.
 */
export type Actor = 'C' | 'R' | 'S' | 'O' | 'O2' | 'K' | 'K2';

/** An account, and the side of the order that it serves: `give` for refunds, `get` for payouts. */
export interface SideAccount extends RailAccount {
  readonly side: 'give' | 'get';
}

/** One side of an order: a currency at its rail, in parts of its unit. */
export interface Side {
  readonly currency: string;
  readonly unit: string;
  readonly rail: string;
  readonly parts: bigint;
}

/** Balances of the order's own ledger accounts, in parts, computed from the legs posted for the order. `loss`: the amount written off. */
export interface Positions {
  readonly in: bigint;
  readonly out: bigint;
  readonly reserve: bigint;
  readonly transfer: bigint;
  readonly unclaimedIn: bigint;
  readonly unclaimedOut: bigint;
  readonly frozen: bigint;
  readonly receivable: bigint;
  readonly loss: bigint;
}

export const EMPTY: Positions = {
  in: 0n,
  out: 0n,
  reserve: 0n,
  transfer: 0n,
  unclaimedIn: 0n,
  unclaimedOut: 0n,
  frozen: 0n,
  receivable: 0n,
  loss: 0n,
};

/** A transfer to the customer. `parts`: amount to send. `cost`: sending cost that was deducted from a refund. */
export interface Transfer {
  readonly intent: string;
  readonly kind: 'payout' | 'refund';
  readonly parts: bigint;
  readonly cost: bigint;
  /** People decided to send the refund, knowing the customer's debts at that time. */
  readonly isByPeople?: true;
}

/** A price breakdown with its terms, and the version of the market snapshot behind those terms. */
export interface Price {
  readonly breakdown: PriceBreakdown;
  readonly terms: PriceTerms;
  readonly version: string;
}

/** An exchange, exactly as booked. Reversals use these sums, and pages show the order's price from them. */
export interface Exchange {
  readonly give: bigint;
  readonly components: readonly Component[];
  readonly exchanged: bigint;
  readonly got: bigint;
  /** The rate of the exchange. */
  readonly rate: Rate;
  /** Mid-market rate when the price was made. */
  readonly mid?: Rate;
  /** Sum that providers deducted from the payments of this exchange. */
  readonly retained: bigint;
  /** Unused part of the sum set aside for a reversal of the payment, in parts given. */
  readonly provision: bigint;
  /** Amounts taken from coupons, in parts of the unit of rewards. */
  readonly coupons?: readonly CouponTaken[];
  /** Terms of the exchange; absent if they are the terms pinned at the placing. */
  readonly terms?: PriceTerms;
  readonly version: string;
}

/** Amount that an exchange took from a coupon. */
export interface CouponTaken {
  readonly use: string;
  readonly coupon: string;
  readonly parts: bigint;
  /** True if the coupon has an account of its own, from which the amount was posted. */
  readonly isFunded: boolean;
}

/** An undelivered payout that was bought back. `exchange`: the original exchange. `price`: the price of the buy-back. */
export interface BoughtBack {
  readonly exchange: Exchange;
  readonly price: Price;
  /** Amount that the customer got for the payout, in parts given. */
  readonly parts: bigint;
}

/** An offer to a customer who has to choose: a numbered quote at the current rate, valid for three minutes. */
export interface Offer extends Price {
  readonly number: number;
  readonly choice: 'continue' | 'take_back' | 'new_order';
  /** Amount that the customer would get: in parts of the unit got or, for `take_back`, of the unit given. */
  readonly parts: bigint;
  readonly madeAt: Date;
}

/** A changed account that has to wait before money may go to it. If the order leaves its state first, the account is dropped. */
export interface PendingAccount {
  readonly event: 'give_route' | 'new_account' | 'claim';
  readonly account: SideAccount;
  readonly from: Date;
}

/** Facts about an order and its money, stored beside the state. They explain the state but never replace it. */
export interface Facts {
  /** Moment at which the order entered its state. */
  readonly since: Date;
  /** Clock of the promised time (`order/clock.ts`). `ran`: time that it shows, in ms. `at`: moment of that reading. */
  readonly clock?: { readonly ran: number; readonly at: Date } | undefined;
  /**
   * Moment at which the customer was first asked about the payments received so far. Set while the order is `choosing`, or `seen`
   * because of a further payment.
   */
  readonly choiceSince?: Date | undefined;
  /** True if the locked rate has ended, so that the current rate applies. */
  readonly isLate: boolean;
  /** Reason why the locked rate ended: a key of the words under `reasons`. Absent if the payment came too late. */
  readonly lateFor?: 'low_fee' | 'unconfirmed' | 'checked' | 'undone' | undefined;
  /**
   * True if the lower of the locked and the current rate applies: the payment was seen in time, but it is too short or the
   * customer ticked "ask me".
   */
  readonly hasLowerRate: boolean;
  /** True if the customer ticked "ask me" before paying. */
  readonly askMe: boolean;
  /** True if the customer was asked to choose: the order no longer goes on automatically. */
  readonly isAsked: boolean;
  /** True if the desk caused the refund, so that no cost is deducted. */
  readonly isFreeRefund: boolean;
  /** The hold of the order. `soft`: ends after a time (papers, limits). `hard`: a person ends it. */
  readonly hold?: {
    readonly cause: 'soft' | 'hard';
    readonly since: Date;
    /** State of the requested papers. Once they were requested or received, the locked rate survives only a short hold. */
    readonly papers?: 'asked' | 'came';
    /** True if the order is held because its customer owes money, so that people decide. */
    readonly isDebt?: true;
    /** True if the order is held because nobody approved its payout in time. */
    readonly isUnapproved?: true;
  };
  /** While `approving`: the number of people needed, and the end of the clearing period of a reversible pay-in. */
  readonly approval?: Approval;
  /**
   * True if the customer's own payout totals require the approval that the order waits for, or that nobody gave in time. The
   * review announces such approvals.
   */
  readonly hasOwnWait?: true | undefined;
  /**
   * True while `approving` if the payout was stopped shortly before it was sent. People then review the payout because of the
   * stop, and not for its sum.
   */
  readonly isStopped?: true;
  /** Number of people who have approved the payout. Sending it again needs a further approval only if more people are needed by then. */
  readonly approved?: number;
  /** Number of tries of a transfer that keeps failing. */
  readonly tries: number;
  /** True if the last refusal had a transient cause (no float, rail down). */
  readonly isTransient: boolean;
  readonly transfer?: Transfer;
  readonly sent?: Transfer & { readonly txid?: string };
  /** True if the order counts (`counts.ts`): it was paid out. False while any of its money is taken back. */
  readonly isCounted?: boolean;
  /** State in which the order ended. A `charged_back` order returns to this state once its receivable is settled. */
  readonly ended?: 'completed' | 'refunded' | 'surrendered' | 'applied';
  /** Moment at which money that the customer still owes was last taken back. */
  readonly owedSince?: Date;
  readonly exchange?: Exchange;
  /** True if the order no longer holds its coupons' uses: an exchange took from the coupons, or the order ended without an exchange. */
  readonly hasEndedCoupons?: true;
  /** Part of the order's reversed payments that another order's payment has settled, in minor units given. */
  readonly settled?: bigint;
  readonly boughtBack?: BoughtBack;
  /** Amounts taken from coupons by exchanges that were bought back later: they are not returned to the coupons. */
  readonly couponsRetained?: readonly CouponTaken[];
  readonly offer?: Offer;
  readonly offers: number;
  /** For an unallocated payment: id of the order that its money became. */
  readonly becameOrder?: string;
  /** True for an unallocated payment whose money the owner took for whom it came. */
  readonly isTakenOver?: true;
  readonly pending?: PendingAccount | undefined;
  /** True if compliance ordered a freeze while a send was on its way: the order is frozen as soon as that send fails. */
  readonly isFreezePending?: true;
  /**
   * True if a send that was booked as not sent was found late. Until people have settled the matter, nothing is sent or decided
   * automatically.
   */
  readonly isFoundLate?: true;
  /** The provider's payment instructions, once they are prepared; `refused` if the provider won't take the payment. */
  readonly payWay?: PayWay | 'refused';
  /** Result of the last voucher that was entered: `taken` while it is being checked, else the reason for its refusal. */
  readonly entry?: 'taken' | 'wrong' | 'foreign' | 'unavailable';
  /** Number of reminders mailed about unclaimed money. */
  readonly reminded: number;
}

/**
 * Approval that a payout waits for: the number of `people` needed, and the end of its clearing period. With neither, the payout
 * leaves automatically.
 */
export interface Approval {
  readonly people: 0 | 1 | 2;
  readonly clearingUntil?: Date;
  /** True if an approval is needed because the customer is a debtor or typed data of a debtor. */
  readonly isDebt?: true;
  /** True if the customer's own payout totals require the approval, not payouts to others. Stored as `hasOwnWait`. */
  readonly isOwn?: true;
}

/** Promised time: the seconds within which the payout is handed to its rail, as measured by `order/clock.ts`. */
export interface PromisedTime {
  readonly seconds: number;
  /** True if the review announced people's approval: the clock stops while they decide. */
  readonly hasApproval?: true;
}

/**
 * Number of an invoice, and the reason for which money that came for it stays its payer's. `over`: more than it needed · `late`:
 * after its time · `given_back`: by the shop · `not_taken`: any other.
 */
export interface PaidFor {
  readonly number: string;
  readonly why: 'over' | 'late' | 'given_back' | 'not_taken';
}

/** Terms pinned at the placing: the order's promises don't change while it runs. */
export interface Pinned extends Terms {
  /** Terms of the price that is locked until `lockUntil`. Absent for an unallocated payment. */
  readonly terms?: PriceTerms;
  readonly ratesVersion: string;
  /**
   * Versions of the direction and of the rails' cost lines that the terms were made from. Absent for an order made of an
   * unallocated payment.
   */
  readonly madeFrom?: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** Cost of sending a refund, in parts given. */
  readonly refundCost: bigint;
  /** Smallest refund, in parts given. */
  readonly minRefund: bigint;
  /** True if the payment can be taken back for months (PayPal): 1 % is set aside as provision. */
  readonly isReversible: boolean;
  /** True if the rail of the payment can't send: its money can be exchanged, but never go back over that rail. */
  readonly isReceiveOnly?: true;
  /** Data for the order's signed receipt. Absent for an unallocated payment without an order. */
  readonly receipt?: ReceiptPins;
  /** Promised time of the payout. Absent for an unallocated payment. */
  readonly promised?: PromisedTime;
  /** Uses of coupons that are held for the order. */
  readonly coupons?: readonly HeldUse[];
  /** True if the order's address is a mailbox that the customer had proven to read before the placing. Absent if it was only typed. */
  readonly isMailboxProven?: true;
  /** The customer's affiliate; absent if there is none. */
  readonly sent?: Sent;
  /**
   * True if a reorg could still take the payment back when another room handed its money over: nothing is sent until the payment
   * is deep.
   */
  readonly isShallow?: true;
  /**
   * Account of another owner to which a payment goes back when its rail takes it back, and from which it comes again: the owner
   * had converted the payment, and books the reversal itself. Absent for a payment that goes back to custody.
   */
  readonly returnsTo?: AccountRef;
  /** Invoice of another room for which the money of an unallocated payment came, and why it stays the payer's. */
  readonly paidFor?: PaidFor;
  /** Sides that are wallets: for each its holder's id. `people`: number of approvals that moneyout requires. */
  readonly wallets?: { readonly give?: string; readonly get?: string; readonly people?: 1 | 2 };
}

/** All data of an order that the machine decides by. Immutable: each event makes a new view. */
export interface OrderView {
  readonly id: string;
  readonly kind: 'order' | 'unallocated';
  readonly state: OrderState;
  /**
   * Number of the order's last event: `seq` in its timeline. Every action compares this number before it writes, so that
   * concurrent changes are refused.
   */
  readonly version: number;
  readonly give: Side;
  /** The side that the customer gets. Absent for an unallocated payment without a direction. */
  readonly get?: Side;
  readonly receive?: RailAccount;
  readonly refund?: RailAccount;
  readonly pinned: Pinned;
  readonly payments: readonly Payment[];
  readonly positions: Positions;
  readonly facts: Facts;
}

/** True if nothing was decided about an unallocated payment, and its money is there: its customer did not choose, and nothing was sent. */
export const isUndecided = ({ kind, state, facts, positions }: OrderView): boolean =>
  kind === 'unallocated' &&
  (state === 'choosing' || state === 'unclaimed') &&
  facts.pending === undefined &&
  facts.sent === undefined &&
  facts.tries === 0 &&
  !facts.isFoundLate &&
  positions.receivable === 0n &&
  positions.in + positions.unclaimedIn > 0n;

/** Returns the kind of transfer that an order sends or could not deliver: a payout if the order is exchanged, else a refund. */
export const sends = ({ facts }: Pick<OrderView, 'facts'>): Transfer['kind'] => (facts.exchange ? 'payout' : 'refund');

/** Returns the word that a customer reads for the order's status. */
export function wordOf(order: OrderView): OrderWord {
  const confirming =
    order.state === 'seen' && order.payments.some((payment) => payment.status === 'seen' && payment.confirmations > 0);
  return confirming ? 'confirming' : WORDS[order.state];
}
