// An order: its states with the place of the money in each, its public words, and the facts about its money. Pure.

import type { Component, PriceTerms, Rate, PriceBreakdown } from '@kurs/money';
import type { Payment, RailAccount, Terms } from '../../collecting/index.ts';
import type { ReceiptPins } from './receipt-pins.ts';
import type { HeldUse } from '../../coupons/index.ts';
import type { PayWay } from '../../payments/index.ts';
import type { Sent } from '../../referrals/index.ts';

/** All states of an order, each with the place of its money. */
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
  applied: 'its money became a new order’s, or settled what was owed for another',
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

/** Word of each state; a state without one doesn't compile. `seen` becomes `confirming` at the first confirmation. */
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
 * States that an order may stay in for ever. Its accounts are empty then, except in `unclaimed` and `frozen`, which hold all its
 * money in one account.
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
 * States in which our payout is requested or on its way and the customer can decide nothing. The payout itself knows its
 * progress.
 */
export const IN_FLIGHT: ReadonlySet<OrderState> = new Set(['paying', 'refunding']);

/** States in which a payment may still count for its order; in all others a payment becomes an unallocated payment. */
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
 * Actor of an event: customer (C), a fact of a rail (R), the system and its timers (S), operator (O), compliance (K); 2: two
 * people. These letters are stored in orders' histories.
 */
export type Actor = 'C' | 'R' | 'S' | 'O' | 'O2' | 'K' | 'K2';

/** An account, and the side of the order that it serves: refunds of what is given, or payouts of what is got. */
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

/** Balances of the order's own ledger accounts, in parts; computed from the legs that are posted. `loss` was written off. */
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

/** Our transfer: the one being sent, or the last that went out. `cost`: what sending a refund took. */
export interface Transfer {
  readonly intent: string;
  readonly kind: 'payout' | 'refund';
  readonly parts: bigint;
  readonly cost: bigint;
  /** People have decided to send it, knowing what the customer owed. */
  readonly isByPeople?: true;
}

/** A price breakdown with its terms, and the version of the market snapshot behind those terms. */
export interface Price {
  readonly breakdown: PriceBreakdown;
  readonly terms: PriceTerms;
  readonly version: string;
}

/**
 * An exchange exactly as it was booked. Its reversal turns these sums around, and every display of the order's price reads them
 * here.
 */
export interface Exchange {
  readonly give: bigint;
  readonly components: readonly Component[];
  readonly exchanged: bigint;
  readonly got: bigint;
  /** The rate of the exchange. */
  readonly rate: Rate;
  /** Mid-market rate at the same moment. */
  readonly mid?: Rate;
  /** Sum that providers deducted from the payments of this exchange. */
  readonly retained: bigint;
  /** Rest of the sum set aside for a reversal. */
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
  /** True if the amount left the coupon's account. */
  readonly isFunded: boolean;
}

/** An undelivered payout that was bought back: the original exchange, and the price of the way back. */
export interface BoughtBack {
  readonly exchange: Exchange;
  readonly price: Price;
  /** Amount that the customer received for the order, in parts given. */
  readonly parts: bigint;
}

/** An offer is a quote: numbered, at the current rate, valid for three minutes. */
export interface Offer extends Price {
  readonly number: number;
  readonly choice: 'continue' | 'take_back' | 'new_order';
  /** Amount that the customer gets: of the unit got or, for `take_back`, of the unit given. */
  readonly parts: bigint;
  readonly madeAt: Date;
}

/** A changed account that has to wait before money may go to it. It is dropped when the order leaves its state. */
export interface PendingAccount {
  readonly event: 'give_route' | 'new_account' | 'claim';
  readonly account: SideAccount;
  readonly from: Date;
}

/** Facts about the money, stored beside the state. They are never the state itself. */
export interface Facts {
  /** Moment at which the order entered its state. */
  readonly since: Date;
  /** Time in ms that the order has taken us up to a moment (`order/clock.ts`). */
  readonly clock?: { readonly ran: number; readonly at: Date } | undefined;
  /**
   * Moment at which the customer was first asked about the payments so far; set while choosing, and while a further payment is
   * only seen.
   */
  readonly choiceSince?: Date | undefined;
  /** The locked rate is gone: the current rate applies from now on. */
  readonly isLate: boolean;
  /** Reason why the rate ended, if not because the payment came too late: a key of the words under `reasons`. */
  readonly lateFor?: 'low_fee' | 'unconfirmed' | 'checked' | 'undone' | undefined;
  /**
   * The payment was seen in time but is too short, or the customer ticked "ask me": the lower of the locked and the current rate
   * applies.
   */
  readonly hasLowerRate: boolean;
  /** The customer ticked "ask me" before paying. */
  readonly askMe: boolean;
  /** The customer was asked; nothing goes on automatically any more. */
  readonly isAsked: boolean;
  /** The desk caused the refund: it is sent without deductions. */
  readonly isFreeRefund: boolean;
  /** The hold: `soft` ends automatically (papers, limits), `hard` by a person; and since when. */
  readonly hold?: {
    readonly cause: 'soft' | 'hard';
    readonly since: Date;
    /** State of the papers. With requested or received papers the locked rate survives only a short hold. */
    readonly papers?: 'asked' | 'came';
    /** The customer owes money: people decide what happens to the order. */
    readonly isDebt?: true;
    /** The payout needed people's approval, and nobody approved it in time. */
    readonly isUnapproved?: true;
  };
  /** While approving: number of people needed, or the end of the clearing period of a reversible pay-in. */
  readonly approval?: Approval;
  /**
   * While approving, or held because nobody approved it: the customer's own sums cause the wait. The review announces such waits.
   */
  readonly hasOwnWait?: true | undefined;
  /** While approving: the payout was about to be sent and was stopped. People review it for that, not for its sum. */
  readonly isStopped?: true;
  /**
   * Number of people who have released the exchanged amount. A retry needs no further approval, unless it needs more people by
   * then.
   */
  readonly approved?: number;
  /** Number of tries of a transfer that keeps failing. */
  readonly tries: number;
  /** True if the last refusal had a transient cause (no float, rail down). */
  readonly isTransient: boolean;
  readonly transfer?: Transfer;
  readonly sent?: Transfer & { readonly txid?: string };
  /** True if the order counts as completed (`counts.ts`): set when it is paid out, false while money of it is taken back. */
  readonly isCounted?: boolean;
  /** State that `charged_back` returns to once its receivable is settled. */
  readonly ended?: 'completed' | 'refunded' | 'surrendered' | 'applied';
  /** Moment at which money was last taken back that the customer has owed since. */
  readonly owedSince?: Date;
  readonly exchange?: Exchange;
  /** The order no longer holds its coupons' uses: an exchange took from them, or the order came to nothing. */
  readonly hasEndedCoupons?: true;
  /** Part of its reversed payments that another order's payment has settled, in minor units given. */
  readonly settled?: bigint;
  readonly boughtBack?: BoughtBack;
  /** Amounts that earlier exchanges, bought back since, took from coupons: they stay taken. */
  readonly couponsRetained?: readonly CouponTaken[];
  readonly offer?: Offer;
  readonly offers: number;
  /** The order that an unallocated payment's money became. */
  readonly becameOrder?: string;
  readonly pending?: PendingAccount | undefined;
  /** Compliance ordered a freeze while a send was out: the order is frozen as soon as that send fails. */
  readonly isFreezePending?: true;
  /**
   * A send that was booked as not sent turned up. Nothing is decided automatically or sent again before people have settled it.
   */
  readonly isFoundLate?: true;
  /** Payment instructions of the provider once prepared; `refused` if the provider won't take the payment. */
  readonly payWay?: PayWay | 'refused';
  /** Result of the last voucher entered: being checked (`taken`), or the reason why it is no good. */
  readonly entry?: 'taken' | 'wrong' | 'foreign' | 'unavailable';
  /** Number of reminders mailed about unclaimed money. */
  readonly reminded: number;
}

/**
 * Approval of an exchange: the number of `people` needed, and the end of its clearing period. With neither it goes out
 * automatically.
 */
export interface Approval {
  readonly people: 0 | 1 | 2;
  readonly clearingUntil?: Date;
  /** The customer typed data that identifies a debtor, or is a debtor. */
  readonly isDebt?: true;
  /** The customer's own sums cause the wait, whatever is paid to others. Stored as `hasOwnWait`. */
  readonly isOwn?: true;
}

/** Seconds within which a payout is handed to its rail, counted by `order/clock.ts`. */
export interface PromisedTime {
  readonly seconds: number;
  /** The review said that people approve the payout: their time is not counted. */
  readonly hasApproval?: true;
}

/** Terms pinned at the placing: the order's promises don't change while it runs. */
export interface Pinned extends Terms {
  /** The price locked until `lockUntil`. Absent for an unallocated payment. */
  readonly terms?: PriceTerms;
  readonly ratesVersion: string;
  /** Versions of the direction and of the rails' cost lines behind the terms; absent for a later offer. */
  readonly madeFrom?: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** Cost of sending a refund, and the smallest refund, in parts given. */
  readonly refundCost: bigint;
  readonly minRefund: bigint;
  /** The rail of the payment can take its money back (PayPal): 1 % is set aside as provision. */
  readonly isReversible: boolean;
  /** The rail of the payment can only receive: its money can be exchanged, but never sent back over that rail. */
  readonly isReceiveOnly?: true;
  /** Absent for an unallocated payment that belongs to no order. */
  readonly receipt?: ReceiptPins;
  /** Promised time of the payout. Absent for an unallocated payment. */
  readonly promised?: PromisedTime;
  /** Uses of coupons that are held for the order. */
  readonly coupons?: readonly HeldUse[];
  /**
   * The contact is a mailbox that the customer had proven to read before placing the order. Absent if the address was only typed.
   */
  readonly isMailboxProven?: true;
  /** The customer's affiliate; absent if there is none. */
  readonly sent?: Sent;
  /** Ids of the holder's wallets that serve as sides instead of a rail; `people`: approvals that moneyout requires. */
  readonly wallets?: { readonly give?: string; readonly get?: string; readonly people?: 1 | 2 };
}

/** Everything that the machine decides by. Immutable: each event makes a new view. */
export interface OrderView {
  readonly id: string;
  readonly kind: 'order' | 'unallocated';
  readonly state: OrderState;
  /** Rises by one with each event: the compare-and-set of every action, and the timeline's `seq`. */
  readonly version: number;
  readonly give: Side;
  /** Absent for an unallocated payment. */
  readonly get?: Side;
  readonly receive?: RailAccount;
  readonly refund?: RailAccount;
  readonly pinned: Pinned;
  readonly payments: readonly Payment[];
  readonly positions: Positions;
  readonly facts: Facts;
}

/** Returns the kind of transfer that an order sends or could not deliver: a payout while its exchange stands, else a refund. */
export const sends = ({ facts }: Pick<OrderView, 'facts'>): Transfer['kind'] => (facts.exchange ? 'payout' : 'refund');

/** Returns the word that a customer reads. */
export function wordOf(order: OrderView): OrderWord {
  const confirming =
    order.state === 'seen' && order.payments.some((payment) => payment.status === 'seen' && payment.confirmations > 0);
  return confirming ? 'confirming' : WORDS[order.state];
}
