// An order: its states and where the money is in each, its words, and what is known about it. Pure.

import type { Component, PriceTerms, Rate, PriceBreakdown } from '@kurs/money';
import type { Payment, RailAccount, Terms } from '../../collecting/index.ts';
import type { ReceiptPins } from './receipt-pins.ts';
import type { HeldUse } from '../../coupons/index.ts';
import type { PayWay } from '../../payments/index.ts';
import type { Sent } from '../../referrals/index.ts';

/** Every state an order can be in, with where its money is. */
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

/** The customer's words for where an order stands. */
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

/** Each state's word; a state without one doesn't compile. `seen` becomes `confirming` at the first confirmation. */
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

/** States that may rest for ever: empty, except `unclaimed` and `frozen`, where all of it stands in that one account. */
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

/** States in which a payout of ours is asked for or out, and the customer can decide nothing. How far it is says the payout. */
export const IN_FLIGHT: ReadonlySet<OrderState> = new Set(['paying', 'refunding']);

/** States in which a payment may still become its order's; in every other what arrives is an unallocated payment. */
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
 * Who makes an event happen: customer, a fact of a rail, the system and its timers, operator, compliance; 2: two people. The
 * letters stand in orders' histories.
 */
export type Actor = 'C' | 'R' | 'S' | 'O' | 'O2' | 'K' | 'K2';

/** An account with the side of its order that it is for: what is given goes back to it, or what is got is paid to it. */
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

/** What stands in the order's own accounts, in parts; kept from the very legs that are posted. `loss` was written off. */
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

/** A transfer of ours: the one being sent, or the last that went out. `cost` is what a refund's sending took. */
export interface Transfer {
  readonly intent: string;
  readonly kind: 'payout' | 'refund';
  readonly parts: bigint;
  readonly cost: bigint;
  /** People have decided it, knowing what its customer owed by then. */
  readonly byPeople?: true;
}

/** A price breakdown with the terms that it was made from, and the snapshot of the market that those were made from. */
export interface Price {
  readonly breakdown: PriceBreakdown;
  readonly terms: PriceTerms;
  readonly version: string;
}

/**
 * What the exchange booked, whole: its reverse turns exactly that round, and whatever tells of the order's price reads it here.
 */
export interface Exchange {
  readonly give: bigint;
  readonly components: readonly Component[];
  readonly exchanged: bigint;
  readonly got: bigint;
  /** The rate that it was exchanged at. */
  readonly rate: Rate;
  /** The middle of the market at the same moment. */
  readonly mid?: Rate;
  /** What providers kept of the payments that it took. */
  readonly kept: bigint;
  /** Set aside for a reversal; less what that has used up. */
  readonly provision: bigint;
  /** What it took of coupons, in parts of the unit of rewards. */
  readonly coupons?: readonly CouponTaken[];
  /** The terms that it was made from; absent: those that were pinned at the placing. */
  readonly terms?: PriceTerms;
  readonly version: string;
}

/** What an exchange took of a coupon. */
export interface CouponTaken {
  readonly use: string;
  readonly coupon: string;
  readonly parts: bigint;
  /** It left the coupon's account. */
  readonly funded: boolean;
}

/** What could not be delivered and was bought back: the exchange that it had been, and the price of the way back. */
export interface BoughtBack {
  readonly exchange: Exchange;
  readonly price: Price;
  /** What the customer got for it, in parts given. */
  readonly parts: bigint;
}

/** An offer is a quote: numbered, at the current rate, good for three minutes. */
export interface Offer extends Price {
  readonly number: number;
  readonly choice: 'continue' | 'take_back' | 'new_order';
  /** What the customer gets: of the unit got, or (take_back) of the unit given. */
  readonly parts: bigint;
  readonly madeAt: Date;
}

/** A changed account that has to wait before money may follow it. It is forgotten where the order leaves its state. */
export interface PendingAccount {
  readonly event: 'give_route' | 'new_account' | 'claim';
  readonly account: SideAccount;
  readonly from: Date;
}

/** Facts about the money, kept beside the state; they are not the state. */
export interface Facts {
  /** When it came to its state. */
  readonly since: Date;
  /** How many milliseconds it has taken us by a moment (`order/clock.ts`). */
  readonly clock?: { readonly ran: number; readonly at: Date } | undefined;
  /** While choosing, and while a further payment is only seen: when the customer was first asked about what is here. */
  readonly choiceSince?: Date | undefined;
  /** The locked rate is gone: from now the current one. */
  readonly late: boolean;
  /** What ended the rate, where it wasn't that the payment came after its time: a key of the words under `reasons`. */
  readonly lateFor?: 'low_fee' | 'unconfirmed' | 'checked' | 'undone' | undefined;
  /** Seen in time but too short, or "ask me": from now the lower of the locked and the current rate. */
  readonly lower: boolean;
  /** The customer ticked "ask me" before paying. */
  readonly askMe: boolean;
  /** The customer was asked; nothing goes on by itself any more. */
  readonly asked: boolean;
  /** The cause of a refund is ours: it is sent whole. */
  readonly freeRefund: boolean;
  /** While held: whether the hold ends by itself (papers, limits) or by a person, and since when. */
  readonly hold?: {
    readonly cause: 'soft' | 'hard';
    readonly since: Date;
    /** Papers were asked for, or have come: the locked rate outlives only a brief hold. */
    readonly papers?: 'asked' | 'came';
    /** Its customer owes: people decide what becomes of it. */
    readonly isDebt?: true;
    /** People were to approve its payout, and none did in time. */
    readonly isUnapproved?: true;
  };
  /** While approving: how many people it needs, or until when a reversible pay-in clears. */
  readonly approval?: Approval;
  /** While approving, and held since nobody approved it: its customer's own sums make it wait. The review announces such waits. */
  readonly ownWait?: true | undefined;
  /** While approving: it was to be sent and was stopped, so it is not for its sum that people look at it. */
  readonly stopped?: true;
  /** How many people have let out what was exchanged: a retry asks no more of them, unless it takes more by then. */
  readonly approved?: number;
  /** Tries of the transfer that keeps failing. */
  readonly tries: number;
  /** The last refusal was for a transient cause (no float, rail down). */
  readonly passing: boolean;
  readonly transfer?: Transfer;
  readonly sent?: Transfer & { readonly txid?: string };
  /** Whether it counts as completed (`counts.ts`): set as it is paid out, false while money of it is taken back. */
  readonly counts?: boolean;
  /** What `charged_back` returns to once its receivable is settled. */
  readonly ended?: 'completed' | 'refunded' | 'surrendered' | 'applied';
  /** When money was last taken back that the customer owes since. */
  readonly owedSince?: Date;
  readonly exchange?: Exchange;
  /** The uses of coupons that it was placed with are held for it no more: an exchange took of them, or it came to nothing. */
  readonly couponsDone?: true;
  /** How much of its reversed payments another order's payment has settled instead, in minor units given. */
  readonly settled?: bigint;
  readonly boughtBack?: BoughtBack;
  /** What exchanges that were bought back, before the one that stands, took of coupons: it stays taken. */
  readonly couponsKept?: readonly CouponTaken[];
  readonly offer?: Offer;
  readonly offers: number;
  /** The order that an unallocated payment's money became. */
  readonly becameOrder?: string;
  readonly pending?: PendingAccount | undefined;
  /** Compliance wants it frozen, and a send was out: it is, as soon as that has failed. */
  readonly freezeNoted?: true;
  /**
   * A send that had counted as not sent turned up: nothing is decided by itself, nor sent again, before people have settled it.
   */
  readonly foundLate?: true;
  /** How it is paid at its provider, once that is prepared; or that the provider won't take it. */
  readonly payWay?: PayWay | 'refused';
  /** What became of the last voucher that was entered: being looked at, or why it is no good. */
  readonly entry?: 'taken' | 'wrong' | 'foreign' | 'unavailable';
  /** Reminders of unclaimed money that were mailed. */
  readonly reminded: number;
}

/** How an exchange is let out: `people` to approve it, and until when it clears. Neither: it goes by itself. */
export interface Approval {
  readonly people: 0 | 1 | 2;
  readonly clearingUntil?: Date;
  /** What its customer typed is what a debtor is known by, or they owe themselves. */
  readonly isDebt?: true;
  /** Its customer's own sums make it wait, whatever all others are paid. Noted as `ownWait`. */
  readonly isOwn?: true;
}

/** Within how many seconds a payout is handed to its rail, as `order/clock.ts` counts them. */
export interface PromisedTime {
  readonly seconds: number;
  /** The review said that people approve the payout: their time is not counted. */
  readonly approval?: true;
}

/** Terms pinned at the placing: what an order was promised doesn't change while it runs. */
export interface Pinned extends Terms {
  /** The price locked until `lockUntil`. Absent for an unallocated payment. */
  readonly terms?: PriceTerms;
  readonly ratesVersion: string;
  /** Which versions of the direction and of the rails' cost lines the terms were made from; none for a later offer. */
  readonly madeFrom?: { readonly direction: number; readonly payin: number; readonly payout: number };
  /** What sending a refund costs, and the least that is refunded, in parts given. */
  readonly refundCost: bigint;
  readonly refundLeast: bigint;
  /** The rail that is paid by can take its money back (PayPal): 1 % into the provision. */
  readonly reversible: boolean;
  /** The rail that is paid by only takes: what came can be exchanged, and never be sent back by it. */
  readonly takesOnly?: true;
  /** Absent for an unallocated payment that belongs to no order. */
  readonly receipt?: ReceiptPins;
  /** Within how long the payout is promised. Absent for an unallocated payment. */
  readonly promised?: PromisedTime;
  /** Uses of coupons that are held for it. */
  readonly coupons?: readonly HeldUse[];
  /** Its contact is a mailbox that its customer had shown to read as it was placed. Absent where it was only typed. */
  readonly mailbox?: true;
  /** Who sent its customer; absent for nobody. */
  readonly sent?: Sent;
  /** Sides that are a holder's wallets instead of a rail, by their id; how many people the door out of them asks for. */
  readonly wallets?: { readonly give?: string; readonly get?: string; readonly people?: 1 | 2 };
}

/** Everything the machine looks at. Immutable: each event makes a new one. */
export interface OrderView {
  readonly id: string;
  readonly kind: 'order' | 'unallocated';
  readonly state: OrderState;
  /** Rises by one with each event: the compare-and-set of every action, and the timeline's `seq`. */
  readonly version: number;
  readonly give: Side;
  /** An unallocated payment has no got side. */
  readonly get?: Side;
  readonly receive?: RailAccount;
  readonly refund?: RailAccount;
  readonly pinned: Pinned;
  readonly payments: readonly Payment[];
  readonly positions: Positions;
  readonly facts: Facts;
}

/** What an order sends, or could not deliver: its payout as long as its exchange stands, else a refund. */
export const sends = ({ facts }: Pick<OrderView, 'facts'>): Transfer['kind'] => (facts.exchange ? 'payout' : 'refund');

/** The word a customer reads. */
export function wordOf(order: OrderView): OrderWord {
  const confirming =
    order.state === 'seen' && order.payments.some((payment) => payment.standing === 'seen' && payment.confirmations > 0);
  return confirming ? 'confirming' : WORDS[order.state];
}
