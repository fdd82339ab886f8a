// A refund by a store: its sums, and the claims that decide its state. Pure.
//
// rest      sum of a unit that nobody has claimed; it stands in `refund:<id>`
// waiting   sum of a claim that waits for people; it stands there, too
// back      sum that returned to the store

import type { Component } from '@kurs/money';
import type { PayoutBody, PayoutStatus } from '../../../payments/index.ts';
import { type ClaimState, claimMovedTo, takesEvent } from './claim-machine.ts';
import { type RefundEvent, type RefundState, refundMovedTo } from './refund-machine.ts';

/** An amount of a unit, in parts. */
export interface UnitSum {
  readonly unit: string;
  readonly parts: bigint;
}

/** Maker of a refund: a member of the store, or an API key. `isProposed`: every claim waits for a member. */
export interface RefundMaker {
  readonly kind: 'member' | 'key';
  readonly id: string;
  readonly isProposed: boolean;
}

/** True if a refund's maker is the owner of the store. */
export const isOwner = ({ kind, id }: RefundMaker, { holderId }: { readonly holderId: string }): boolean =>
  kind === 'member' && id === holderId;

export interface Refund {
  readonly id: string;
  /** Number that people use. */
  readonly number: string;
  readonly store: { readonly id: string; readonly businessId: string | undefined; readonly holderId: string };
  readonly invoiceId: string | undefined;
  readonly state: RefundState;
  /** Number of the refund's last event. */
  readonly version: number;
  /** Asset in which the refund is stated, its digits, and the amount. For an invoice: the invoice's. */
  readonly currency: string;
  readonly digits: number;
  readonly amount: bigint;
  /** Sum that was taken from the store's balance. */
  readonly taken: UnitSum;
  readonly rests: readonly UnitSum[];
  readonly back: readonly UnitSum[];
  /** The way in which the refund was ended before all of it was claimed. */
  readonly ended: 'expired' | 'cancelled' | undefined;
  readonly maker: RefundMaker;
  /** Address for which it was made; empty once it was forgotten. Undefined: the link is enough for a claim. */
  readonly email: string | undefined;
  readonly note: string | undefined;
  readonly locale: 'en' | 'ru';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  /** True for a test store: no money moves, and claims are paid at once. */
  readonly isTest?: true | undefined;
  /** True if the row was changed outside the product: nothing is claimed of it. */
  readonly isAltered?: true;
}

/**
 * Payment that a claim goes back to, since it can be taken back for months. `reserve`: part of the claimed sum that came from the
 * store's reserve. What isn't sent returns to the store, and never to the refund's link.
 */
export interface ClaimSource {
  readonly paymentId: string;
  readonly reserve: bigint;
}

/** A claim of a refund. Its id is also that of its payout. */
export interface Claim {
  readonly id: string;
  readonly refundId: string;
  readonly store: Refund['store'];
  readonly state: ClaimState;
  /** Sum that was claimed. */
  readonly from: UnitSum;
  /** Cost of sending within this sum. */
  readonly fee: bigint;
  /** Conversion of the sum; undefined if it is sent in its own unit. */
  readonly price: { readonly components: readonly Component[]; readonly exchanged: bigint } | undefined;
  /** Currency that is sent, its unit, and the amount that arrives. */
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Readonly<Record<string, string>>;
  readonly key: string;
  /** Set if it goes back to a payment of the invoice. */
  readonly source?: ClaimSource | undefined;
  /** True once fee and conversion were booked, so that a waiting claim stands in the unit that is sent. */
  readonly isBooked: boolean;
  /** Worth in cents when it was claimed. */
  readonly usd: bigint;
  /** Name of the cap of the refund's maker, or of the member who confirmed it; undefined for the owner, who has none. */
  readonly cap: string | undefined;
  /** True if it counts towards this cap, since it went out by it. */
  readonly isCounted: boolean;
  /** Time at which a member confirmed it under this cap; undefined if it went out when it was claimed. */
  readonly countedAt?: Date | undefined;
  /** Number of people of the desk who must approve it, and who have approved it. */
  readonly people: 0 | 1 | 2;
  readonly approved: 0 | 1 | 2;
  /** Words about the last decision: who made it, and why. */
  readonly decidedBy: string | undefined;
  readonly reason: string | undefined;
  readonly claimedAt: Date;
  readonly statusAt: Date;
  readonly txid: string | undefined;
  readonly confirmations: number | undefined;
  readonly needed: number | undefined;
  /** Status of its payout; undefined if there is none. */
  readonly payout: PayoutStatus | undefined;
  /** True for a test store: nothing is sent. */
  readonly isTest?: true | undefined;
  /** True if the row was changed outside the product: nothing is sent for it. */
  readonly isAltered?: true;
}

/** True if a claim has sent money, or may still send some. */
export const isLive = ({ state }: Pick<Claim, 'state'>): boolean =>
  state !== 'refused' && state !== 'failed' && state !== 'returned';

/** True if a claim waits for a member of the store or for the desk. */
export const isWaiting = ({ state }: Pick<Claim, 'state'>): boolean => state === 'confirming' || state === 'approving';

/** Returns the sum that stands in the refund's account for a waiting claim. */
export const waitingSum = ({ isBooked, from, unit, parts }: Claim): UnitSum => (isBooked ? { unit, parts } : from);

/** Returns the rest of a refund in a unit, in parts. */
export const restOf = ({ rests }: Pick<Refund, 'rests'>, unit: string): bigint =>
  rests.find((one) => one.unit === unit)?.parts ?? 0n;

/** Adds an amount (perhaps a negative one) to sums by unit. Sums of 0 are left out. */
export function plus(sums: readonly UnitSum[], { unit, parts }: UnitSum): UnitSum[] {
  const had = sums.find((one) => one.unit === unit)?.parts ?? 0n;
  const others = sums.filter((one) => one.unit !== unit);
  return had + parts === 0n ? others : [...others, { unit, parts: had + parts }].sort((a, b) => (a.unit < b.unit ? -1 : 1));
}

/** Returns the state of a refund by its sums and claims. */
export function refundStateOf({ rests, ended }: Pick<Refund, 'rests' | 'ended'>, claims: readonly Claim[]): RefundState {
  if (claims.some(isWaiting)) return 'claimed';
  if (claims.some(({ state }) => state === 'paying')) return 'paying';
  if (rests.length > 0) return 'open';
  return ended ?? 'paid';
}

/** Returns a refund in the state to which an event leads, with its next version. */
export const movedBy = (refund: Refund, event: RefundEvent, claims: readonly Claim[]): Refund => ({
  ...refund,
  state: refundMovedTo(refund.state, event, refundStateOf(refund, claims)),
  version: refund.version + 1,
});

/** Returns a refund after sums of it returned to the store. Without unclaimed sums it ends. */
export const returnedToStore = (refund: Refund, sums: readonly UnitSum[]): Refund => ({
  ...refund,
  back: sums.reduce(plus, refund.back),
  ended: refund.rests.length === 0 ? (refund.ended ?? 'cancelled') : refund.ended,
});

/** Outcome of a payout's event: the changed claim, and the sums that can be claimed again. */
export interface Outcome {
  readonly claim: Claim;
  readonly event: 'keep' | 'arrive' | 'fail';
  /** Sums that are unclaimed again. The fee is one of them. None of a claim that goes back to a payment. */
  readonly rests: readonly UnitSum[];
}

/** Applies an event of a claim's payout. Undefined if the claim has no step for it. */
export function afterPayout(claim: Claim, body: PayoutBody): Outcome | undefined {
  const { event } = body;
  if (!takesEvent(claim.state, event)) return undefined;
  if (claim.source && event !== 'final') {
    const failed = claimMovedTo(claim.state, event, event === 'returned' ? 'returned' : 'failed');
    return { claim: { ...claim, state: failed, reason: body.reason ?? claim.reason }, event: 'fail', rests: [] };
  }
  const next: Claim = { ...claim, state: claimMovedTo(claim.state, event), reason: body.reason ?? claim.reason };
  if (event === 'kept') return { claim: { ...next, approved: 0, people: claim.people === 2 ? 2 : 1 }, event: 'keep', rests: [] };
  if (event === 'final') return { claim: next, event: 'arrive', rests: [] };
  return { claim: next, event: 'fail', rests: cameBack(claim, body) };
}

/** Returns what stands in the refund again after a payout was not sent, or came back. */
function cameBack({ unit, parts, from, fee }: Claim, { event, back, isBorneByReceiver }: PayoutBody): UnitSum[] {
  if (event === 'returned') return [{ unit, parts: isBorneByReceiver ? BigInt(back ?? parts) : parts }];
  return [{ unit, parts }, ...(fee > 0n ? [{ unit: from.unit, parts: fee }] : [])];
}
