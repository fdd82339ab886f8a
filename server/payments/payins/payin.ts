import type { Account, Evidence, ObservedPayment } from '../../rails/rail.ts';
import type { Owner } from '../rails/owner.ts';
import type { PayinBody, PayinEvent } from '../rails/event-bodies.ts';
import { type Depth, type FinalityPolicy, isDeep, isReported, reaches } from '../rails/finality.ts';

/**
 * A payment to an address of ours, as recorded.
 *
 * - `status`: `seen` (on the rail, not final, not our money yet), `final` (credited), `dropped` (gone before it was final, or
 *   given up), `reversed` (gone after it was final)
 * - `seenAt`, `firstConfirmedAt`: times of the payment and of its first block. They are by the rail's own clock, but limited to
 *   the time between two of our polls.
 * - `seenAfter`: start of the last complete poll of the address that did not show the payment
 * - `missingSince`: time since which no poll has shown the payment in its known place. This alone doesn't prove that the
 *   payment is gone.
 * - `isMissingReported`: true if operators were alarmed about the missing payment
 * - `isFollowed`: true if the payment is still polled at short intervals
 */
export interface Payin {
  readonly id: string;
  readonly key: string;
  readonly number: number;
  readonly owner: Owner;
  readonly customer: string;
  readonly currency: string;
  readonly unit: string;
  readonly place: 'hot' | 'deposit';
  readonly isForeign: boolean;
  readonly parts: bigint;
  readonly txid: string;
  readonly from: readonly string[];
  /** Inputs that the payment spends, if its rail reports them. */
  readonly inputs: readonly string[];
  /** Account that a refund goes to, on rails that return money to its sender. */
  readonly source: Account | null;
  /** Fee that the payment's provider has retained and that is posted, in parts. */
  readonly fee: bigint;
  /** For a final payment: amount that its provider has taken back so far, in parts, as published in events. */
  readonly taken: bigint;
  readonly status: 'seen' | 'final' | 'dropped' | 'reversed';
  readonly isBack: boolean;
  readonly isFeeOk: boolean;
  /** Value at first sight, in USD cents; null while no rate is known. */
  readonly usd: bigint | null;
  readonly height: number | null;
  readonly block: string | null;
  readonly confirmations: number;
  readonly isFinalised: boolean;
  readonly needed: number;
  readonly isDeep: boolean;
  readonly isFollowed: boolean;
  /** True if people have decided about the payment: polls don't change it any more. */
  readonly isDecided: boolean;
  readonly seenAt: Date;
  readonly seenAfter: Date | null;
  readonly firstConfirmedAt: Date | null;
  readonly finalAt: Date | null;
  readonly missingSince: Date | null;
  readonly isMissingReported: boolean;
}

/** Effect of a poll or a decision on one payment: the payment's new state, and the event to publish, if any. */
export interface Change {
  readonly payin: Payin;
  readonly before: Payin | undefined;
  readonly event?: PayinEvent;
  /** Fee that the payment's provider retains, as last reported, in parts. */
  readonly retained?: bigint;
  readonly reason?: NonNullable<PayinBody['reason']>;
  /** Amount that the event is about, in parts; absent if it is about the whole payment. */
  readonly part?: bigint;
}

export interface PollTerms {
  readonly now: Date;
  readonly policy: FinalityPolicy;
  readonly giveUpMs: number;
  /** Time for which a payment may be missing before an alarm, in ms. */
  readonly alarmMs: number;
}

/**
 * Report of a poll and its follow-up queries about one payment: the payment as the rail shows it, or the proof that the payment
 * is gone.
 */
export interface PollResult {
  readonly sighting?: ObservedPayment | undefined;
  readonly gone?: Evidence | undefined;
}

/** Report about a payment that was known before the poll. */
interface Poll extends PollResult {
  /**
   * Last complete poll of the payment's address before this one; null if there was no complete poll since the address was handed
   * out.
   */
  readonly polledAt: Date | null;
}

const since = (at: Date, now: Date): number => now.getTime() - at.getTime();

/**
 * Returns the state of a known payment after a poll. Decides nothing about finality: `check` does so afterwards, from all
 * payments of the same customer, transaction and block. A payment that is missing without evidence only gets `missingSince`. It
 * is not dropped, reversed or moved back.
 */
export function poll(known: Payin, reported: Poll, terms: PollTerms): Change {
  const change = { before: known, ...pollAt(known, reported, terms) };
  const { sighting: observedPayment } = reported;
  if (!observedPayment) return change;
  const { payin } = change;
  return {
    ...change,
    retained: observedPayment.fee ?? payin.fee,
    payin: { ...payin, source: payin.source ?? observedPayment.source ?? null },
  };
}

/**
 * True if a poll does not show a payment in its known place. Also true if the payment was in a block or gone before, and the poll
 * shows it as waiting: a server that lags behind reports such a state.
 */
export function isMissing({ status, height, isFollowed }: Payin, observedPayment: ObservedPayment | undefined): boolean {
  if (observedPayment && observedPayment.status.at !== 'mempool') return false;
  if (status === 'seen') return !observedPayment || height !== null;
  return status === 'final' ? isFollowed : observedPayment !== undefined;
}

/** True if evidence is about this payment, and comes from a chain at least as high as the highest known (`top`). */
export function proves(by: Evidence, { height, block, inputs, txid }: Payin, top: number): boolean {
  if (by.tip < top) return false;
  if (by.kind === 'block') return height !== null && by.height === height && by.hash !== block;
  return inputs.includes(by.input) && by.txid !== txid;
}

/** Adds the provider's fee to a final payment, so that the fee is posted. Before the payment is final, it isn't our money. */
export function withFee(change: Change): Change {
  const { payin, retained = payin.fee } = change;
  return payin.status === 'final' ? { ...change, payin: { ...payin, fee: retained } } : change;
}

function pollAt(before: Payin, reported: Poll, terms: PollTerms): Placed {
  const { sighting: observedPayment, gone: by } = reported;
  if (observedPayment?.status.at === 'block') return inBlock(before, observedPayment.status, terms, reported.polledAt);
  if (observedPayment?.status.at === 'taken_back') return takenBack(before, observedPayment.status, terms);
  if (before.status === 'final') {
    return by
      ? { payin: gone(before, 'reversed'), event: 'reversed', reason: 'reorg' }
      : before.isFollowed
        ? missing(before, terms)
        : { payin: before };
  }
  const isSpent = by?.kind === 'spent';
  if (observedPayment && !isSpent && (by || before.height === null))
    return inMempool(before, observedPayment.status, terms, reported.polledAt);
  if (before.status === 'seen') {
    return by
      ? { payin: gone(before, 'dropped'), event: 'dropped', reason: isSpent ? 'replaced' : 'reorg' }
      : missing(before, terms);
  }
  const isOver = before.status === 'reversed' && since(before.seenAt, terms.now) >= terms.giveUpMs;
  return { payin: isOver ? { ...before, isFollowed: false } : before };
}

/**
 * Returns the record of a new payment. Its status is `seen`, even if the rail calls it final. No event is published for a new
 * payment that the provider has already taken back as a whole.
 */
export function firstSight(
  fresh: Pick<Payin, 'id' | 'number' | 'owner' | 'customer' | 'unit' | 'place' | 'isForeign' | 'usd' | 'seenAfter'>,
  observedPayment: ObservedPayment,
  terms: PollTerms,
): Change {
  const { key, currency, parts, txid, from, inputs = [], source = null, status } = observedPayment;
  const payin: Payin = {
    ...fresh,
    ...{ key, currency, parts, txid, from, inputs, source },
    fee: 0n,
    taken: 0n,
    status: 'seen',
    isBack: false,
    // True until a poll reports that the fee is too low.
    isFeeOk: true,
    height: null,
    block: null,
    confirmations: 0,
    isFinalised: false,
    needed: 0,
    isDeep: false,
    isFollowed: true,
    isDecided: false,
    seenAt: timeOf(status, terms.now, fresh.seenAfter),
    firstConfirmedAt: null,
    finalAt: null,
    missingSince: null,
    isMissingReported: false,
  };
  if (status.at === 'taken_back' && status.parts === undefined) {
    return { before: undefined, payin: takenBack(payin, status, terms).payin };
  }
  const { seenAfter } = fresh;
  const placed =
    status.at === 'mempool'
      ? inMempool(payin, status, terms, seenAfter)
      : inBlock(payin, booked(status, terms), terms, seenAfter);
  return {
    before: undefined,
    payin: placed.payin,
    event: 'seen',
    ...(observedPayment.fee !== undefined && { retained: observedPayment.fee }),
  };
}

type Placed = Pick<Change, 'payin' | 'event' | 'reason' | 'part'>;
type ObservedStatus = ObservedPayment['status'];

/**
 * Returns the time of a payment's appearance, by the time of its block if it is in one. A block's time may lie before that of its
 * parent, or in the future. So the result is never later than our poll, and never earlier than `notBefore`: the last poll that
 * did not show the payment.
 */
function timeOf(status: ObservedStatus, now: Date, notBefore: Date | null): Date {
  if (status.at !== 'block') return now;
  const at = Math.max(status.minedAt.getTime(), notBefore?.getTime() ?? -Infinity);
  return at < now.getTime() ? new Date(at) : now;
}

function inBlock(before: Payin, status: ObservedStatus & { at: 'block' }, terms: PollTerms, polledAt: Date | null): Placed {
  const { now, policy } = terms;
  const { height, hash: block, confirmations, isFinalised } = status;
  const placed: Payin = {
    ...before,
    ...{ height, block, confirmations, isFinalised },
    isFeeOk: true,
    isDeep: isDeep(policy, confirmations, isFinalised),
    ...(before.firstConfirmedAt === null && confirmedAt(before, status, now, polledAt)),
    ...shown,
  };
  if (before.status === 'final') {
    const stands = { ...placed, isFollowed: confirmations < before.needed + policy.follow };
    return before.taken === 0n ? { payin: stands } : returned(stands, before.taken);
  }
  return before.status === 'seen' ? { payin: placed } : comeBack(before, placed, timeOf(status, now, polledAt), polledAt);
}

const shown = { missingSince: null, isMissingReported: false };

/**
 * Returns the time when the payment got into a block. Also limits `seenAt` to that time, since a payment can't be made later. The
 * payment got into the block after the last poll that showed it as waiting, or else after the last complete poll that did not
 * show it.
 */
function confirmedAt(
  { seenAt, seenAfter, missingSince }: Payin,
  status: ObservedStatus,
  now: Date,
  polledAt: Date | null,
): Pick<Payin, 'seenAt' | 'firstConfirmedAt'> {
  const paidBy = seenAfter && timeOf(status, now, seenAfter);
  const firstConfirmedAt = timeOf(status, now, missingSince === null ? polledAt : seenAfter);
  return { firstConfirmedAt, seenAt: paidBy && paidBy < seenAt ? paidBy : seenAt };
}

function inMempool(before: Payin, status: ObservedStatus & { at: 'mempool' }, terms: PollTerms, polledAt: Date | null): Placed {
  const isFeeOk = (status.isFeeOk ?? before.isFeeOk) && !status.isReplaceable;
  const placed: Payin = { ...before, ...nowhere, ...shown, isFeeOk };
  const tooOld = since(before.seenAt, terms.now) >= terms.giveUpMs;
  if (before.status === 'seen') {
    return tooOld ? givenUp(placed) : { payin: placed };
  }
  // A payment that was given up stays `dropped` until it is in a block.
  return tooOld ? { payin: before } : comeBack(before, placed, terms.now, polledAt);
}

const nowhere = { height: null, block: null, confirmations: 0, isFinalised: false, isDeep: false, firstConfirmedAt: null };

/** Returns a dropped or reversed payment that has come back on the rail, with the status `seen` and its new time. */
function comeBack(before: Payin, placed: Payin, seenAt: Date, seenAfter: Date | null): Placed {
  const firstConfirmedAt = placed.height === null ? null : seenAt;
  const payin: Payin = { ...placed, ...{ firstConfirmedAt, seenAt, seenAfter }, status: 'seen', isBack: true, isFollowed: true };
  return { payin: { ...payin, finalAt: null, needed: before.needed }, event: 'seen' };
}

/**
 * Returns a payment that the rail doesn't show in its known place, without proof that it is gone. The payment is not changed, and
 * after a while an alarm is raised. Only a payment that never got into a block is given up when it is too old.
 */
function missing(before: Payin, { now, alarmMs, giveUpMs }: PollTerms): Placed {
  if (before.status === 'seen' && before.height === null && since(before.seenAt, now) >= giveUpMs) return givenUp(before);
  const missingSince = before.missingSince ?? now;
  const isMissingReported = before.isMissingReported || since(missingSince, now) >= alarmMs;
  return { payin: { ...before, missingSince, isMissingReported, isFollowed: true } };
}

const givenUp = (payin: Payin): Placed => ({ payin: gone(payin, 'dropped'), event: 'dropped', reason: 'given_up' });

function gone(before: Payin, status: 'dropped' | 'reversed'): Payin {
  return { ...before, ...nowhere, ...shown, isDeep: true, status, isFollowed: status === 'reversed' };
}

/**
 * Returns the status of a new payment as if nothing had been taken back. The next poll reports the part that was taken back, once
 * the whole payment is final.
 */
function booked(status: Exclude<ObservedStatus, { at: 'mempool' }>, { now }: PollTerms): ObservedStatus & { at: 'block' } {
  if (status.at === 'block') return status;
  return { at: 'block', height: 0, hash: '', minedAt: now, confirmations: 1, isFinalised: true };
}

/**
 * Returns a payment after an amount that was taken back has become ours again. `parts`: that amount, perhaps the whole payment.
 */
function returned(before: Payin, parts: bigint): Placed {
  return { payin: { ...before, isBack: true, taken: before.taken - parts }, event: 'final', part: parts };
}

/**
 * Returns a payment after its provider has taken back a part. `parts`: the total amount taken back so far. The event is about the
 * difference from the total known before.
 */
function takenInPart(before: Payin, status: ObservedStatus & { at: 'taken_back' }, parts: bigint, terms: PollTerms): Placed {
  if (before.status === 'reversed') {
    // The whole payment had been taken back, and a part of it is ours again.
    const final: Payin = { ...before, status: 'final', taken: before.parts, finalAt: terms.now, needed: 1, height: 0 };
    return returned({ ...final, block: '', confirmations: 1, isFinalised: true }, before.parts - parts);
  }
  if (before.status !== 'final') return inBlock(before, booked(status, terms), terms, null);
  const more = parts - before.taken;
  if (more < 0n) return returned(before, -more);
  if (more === 0n) return { payin: before };
  return { payin: { ...before, taken: parts }, event: 'reversed', reason: 'chargeback', part: more };
}

/** Returns a payment that its provider reports as taken back. The provider's own report needs no confirmation. */
function takenBack(before: Payin, status: ObservedStatus & { at: 'taken_back' }, terms: PollTerms): Placed {
  const { parts } = status;
  if (parts !== undefined && parts < before.parts) return takenInPart(before, status, parts, terms);
  if (before.status === 'dropped' || before.status === 'reversed') return { payin: before };
  const event = before.status === 'final' ? 'reversed' : 'dropped';
  // If the dispute is won, a webhook reports that, so the payment need not be polled at short intervals.
  return { payin: { ...gone(before, event), taken: 0n, isFollowed: false }, event, reason: 'chargeback' };
}

/**
 * Returns a payment after people decided that it was taken back, or that it never was. `parts`: the amount taken back; absent for
 * the whole payment. Only a final payment can be taken back in part (`isOpenTo`).
 */
export function takenByPeople(before: Payin, parts?: bigint): Change {
  const isPart = parts !== undefined && parts < before.parts - before.taken;
  if (isPart) {
    const payin = { ...before, taken: before.taken + parts, isDecided: true };
    return { before, payin, event: 'reversed', reason: 'chargeback', part: parts };
  }
  const event = before.status === 'final' ? 'reversed' : 'dropped';
  return {
    before,
    payin: { ...gone(before, event), taken: 0n, isFollowed: false, isDecided: true },
    event,
    reason: 'chargeback',
  };
}

/**
 * Makes a `seen` payment final if it has the depth that it needs. Otherwise adds an event about its progress, if the progress is
 * to be reported.
 */
export function check(change: Change, depth: Depth, now: Date): Change {
  const { payin, before } = change;
  if (payin.status !== 'seen') return change;
  const needed = depth.confirmations;
  // The recorded depth of a payment that is missing now may be out of date, so the payment is not credited.
  if (payin.missingSince === null && payin.height !== null && reaches(depth, payin.confirmations, payin.isFinalised)) {
    return { ...change, payin: { ...payin, needed, status: 'final', finalAt: now }, event: 'final' };
  }
  const moved = before && (isReported(before.confirmations, payin.confirmations) || before.needed !== needed);
  return { ...change, payin: { ...payin, needed }, ...(!change.event && moved && { event: 'progress' as const }) };
}

/** True if a payment is new, or differs from its stored row. */
export function isChanged({ before, payin }: Change): boolean {
  return !before || (Object.keys(payin) as (keyof Payin)[]).some((name) => !isSame(before[name], payin[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

/** True if a change makes a final payment too deep for any reorg that we expect. */
export const becameDeep = ({ before, payin }: Change): boolean =>
  payin.status === 'final' && payin.isDeep && !(before?.status === 'final' && before.isDeep);

/**
 * Returns the amount by which a change raises the provider's posted fee, in parts; negative if the provider returned some of it.
 */
export const feeMore = ({ before, payin }: Change): bigint => payin.fee - (before?.fee ?? 0n);

/** Returns the event's body for a change. */
export function payinBody({ payin, reason, part }: Change, event: PayinEvent): PayinBody {
  const { isBack, isForeign, firstConfirmedAt } = payin;
  return {
    payinId: payin.id,
    owner: payin.owner,
    event,
    currency: payin.currency,
    unit: payin.unit,
    place: payin.place,
    parts: payin.parts.toString(),
    txid: payin.txid,
    from: payin.from,
    isFeeOk: payin.isFeeOk,
    seenAt: payin.seenAt.toISOString(),
    ...(payin.seenAfter && { seenAfter: payin.seenAfter.toISOString() }),
    ...(firstConfirmedAt && { firstConfirmedAt: firstConfirmedAt.toISOString() }),
    confirmations: payin.confirmations,
    needed: payin.needed,
    ...(isBack && { isBack: true as const }),
    ...(isForeign && { isForeign: true as const }),
    ...(payin.source && { source: payin.source }),
    ...(payin.fee > 0n && { retained: payin.fee.toString() }),
    ...(reason && { reason }),
    ...(part !== undefined && { part: part.toString() }),
  };
}
