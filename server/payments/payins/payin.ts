import type { Account, Evidence, ObservedPayment } from '../../rails/rail.ts';
import type { Owner } from '../rails/owner.ts';
import type { PayinBody, PayinEvent } from '../rails/event-bodies.ts';
import { type Depth, type FinalityPolicy, isDeep, isTold, reaches } from '../rails/finality.ts';

/**
 * A payment to an address of ours, as we know it.
 * - `seen`: on the rail, not final: no money of ours yet · `final`: credited · `dropped`: gone before it was final, or
 *   given up · `reversed`: gone after it was final
 * - `seenAt`, `firstConfirmedAt`: when it was paid, and when it got into a block: by the rail's own clock, as far as our looks
 *   allow it · `seenAfter`: the last look at its address that came to the end and did not show it
 * - `missingSince`: since when no look has shown it where it stood; that proves nothing · `missingTold`: people know
 * - `followed`: a look at short intervals is still worth it
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
  readonly foreign: boolean;
  readonly parts: bigint;
  readonly txid: string;
  readonly from: readonly string[];
  /** What it spends, as far as its rail tells. */
  readonly inputs: readonly string[];
  /** Where a refund of this very payment goes, where the rail gives back to where it came from. */
  readonly source: Account | null;
  /** What its provider has kept of it, in parts, as it is posted. */
  readonly fee: bigint;
  /** For a final payment: how much its provider has taken back so far, in minor units, as published. */
  readonly taken: bigint;
  readonly status: 'seen' | 'final' | 'dropped' | 'reversed';
  readonly back: boolean;
  readonly feeOk: boolean;
  /** Cents at first sight; null while no rate is known. */
  readonly usd: bigint | null;
  readonly height: number | null;
  readonly block: string | null;
  readonly confirmations: number;
  readonly finalised: boolean;
  readonly needed: number;
  readonly deep: boolean;
  readonly followed: boolean;
  /** People have said how it stands: what a look shows changes it no more. */
  readonly decided: boolean;
  readonly seenAt: Date;
  readonly seenAfter: Date | null;
  readonly firstConfirmedAt: Date | null;
  readonly finalAt: Date | null;
  readonly missingSince: Date | null;
  readonly missingTold: boolean;
}

/** The result of one look at one payment: its new state, and the event to publish, if any. */
export interface Change {
  readonly payin: Payin;
  readonly before: Payin | undefined;
  readonly event?: PayinEvent;
  /** What its provider says that it keeps of it, in parts. */
  readonly kept?: bigint;
  readonly reason?: NonNullable<PayinBody['reason']>;
  /** What is told is about so much of it, in parts; else about all. */
  readonly part?: bigint;
}

export interface LookTerms {
  readonly now: Date;
  readonly policy: FinalityPolicy;
  readonly giveUpMs: number;
  /** For how long a payment may be missing before people are told, in milliseconds. */
  readonly alarmMs: number;
}

/** What a look and its follow-up questions say about a payment: how it is shown, or the proof that it is gone. */
export interface Told {
  readonly sighting?: ObservedPayment | undefined;
  readonly gone?: Evidence | undefined;
}

/** Told of a payment that was known before. */
interface Look extends Told {
  /** The last look at its address before this one that came to the end; null: none since it was handed out. */
  readonly lookedAt: Date | null;
}

const since = (at: Date, now: Date): number => now.getTime() - at.getTime();

/**
 * How a known payment stands after a look. Whether it is final is decided afterwards by `judge`, since that hangs on
 * everything exposed together with it. That it isn't shown changes nothing but `missingSince`: without evidence nothing is
 * dropped, reversed or set back.
 */
export function look(known: Payin, told: Look, terms: LookTerms): Change {
  const change = { before: known, ...lookAt(known, told, terms) };
  const { sighting: observedPayment } = told;
  if (!observedPayment) return change;
  const { payin } = change;
  return {
    ...change,
    kept: observedPayment.fee ?? payin.fee,
    payin: { ...payin, source: payin.source ?? observedPayment.source ?? null },
  };
}

/**
 * Whether a look shows a payment where it stood. One that was in a block and is shown waiting is as good as missing: a server
 * that is behind says so. So is one that was gone and is said to wait.
 */
export function isMissing({ status, height, followed }: Payin, observedPayment: ObservedPayment | undefined): boolean {
  if (observedPayment && observedPayment.standing.at !== 'mempool') return false;
  if (status === 'seen') return !observedPayment || height !== null;
  return status === 'final' ? followed : observedPayment !== undefined;
}

/** Whether evidence is about this payment, and from a chain that is no lower than one that was seen (`top`). */
export function proves(by: Evidence, { height, block, inputs, txid }: Payin, top: number): boolean {
  if (by.tip < top) return false;
  if (by.kind === 'block') return height !== null && by.height === height && by.hash !== block;
  return inputs.includes(by.input) && by.txid !== txid;
}

/** What a provider keeps of a payment counts, and is posted, once the payment is ours. */
export function withFee(change: Change): Change {
  const { payin, kept = payin.fee } = change;
  return payin.status === 'final' ? { ...change, payin: { ...payin, fee: kept } } : change;
}

function lookAt(before: Payin, told: Look, terms: LookTerms): Placed {
  const { sighting: observedPayment, gone: by } = told;
  if (observedPayment?.standing.at === 'block') return inBlock(before, observedPayment.standing, terms, told.lookedAt);
  if (observedPayment?.standing.at === 'taken_back') return takenBack(before, observedPayment.standing, terms);
  if (before.status === 'final') {
    return by
      ? { payin: gone(before, 'reversed'), event: 'reversed', reason: 'reorg' }
      : before.followed
        ? missing(before, terms)
        : { payin: before };
  }
  const isSpent = by?.kind === 'spent';
  if (observedPayment && !isSpent && (by || before.height === null))
    return inMempool(before, observedPayment.standing, terms, told.lookedAt);
  if (before.status === 'seen') {
    return by
      ? { payin: gone(before, 'dropped'), event: 'dropped', reason: isSpent ? 'replaced' : 'reorg' }
      : missing(before, terms);
  }
  const isOver = before.status === 'reversed' && since(before.seenAt, terms.now) >= terms.giveUpMs;
  return { payin: isOver ? { ...before, followed: false } : before };
}

/** A payment that was not known, as a look shows it: always `seen` at first. Of one that was taken back nothing is told. */
export function firstSight(
  fresh: Pick<Payin, 'id' | 'number' | 'owner' | 'customer' | 'unit' | 'place' | 'foreign' | 'usd' | 'seenAfter'>,
  observedPayment: ObservedPayment,
  terms: LookTerms,
): Change {
  const { key, currency, parts, txid, from, inputs = [], source = null, standing } = observedPayment;
  const payin: Payin = {
    ...fresh,
    ...{ key, currency, parts, txid, from, inputs, source },
    fee: 0n,
    taken: 0n,
    status: 'seen',
    back: false,
    // Until somebody can say otherwise.
    feeOk: true,
    height: null,
    block: null,
    confirmations: 0,
    finalised: false,
    needed: 0,
    deep: false,
    followed: true,
    decided: false,
    seenAt: timeOf(standing, terms.now, fresh.seenAfter),
    firstConfirmedAt: null,
    finalAt: null,
    missingSince: null,
    missingTold: false,
  };
  if (standing.at === 'taken_back' && standing.parts === undefined) {
    return { before: undefined, payin: takenBack(payin, standing, terms).payin };
  }
  const { seenAfter } = fresh;
  const placed =
    standing.at === 'mempool'
      ? inMempool(payin, standing, terms, seenAfter)
      : inBlock(payin, booked(standing, terms), terms, seenAfter);
  return {
    before: undefined,
    payin: placed.payin,
    event: 'seen',
    ...(observedPayment.fee !== undefined && { kept: observedPayment.fee }),
  };
}

type Placed = Pick<Change, 'payin' | 'event' | 'reason' | 'part'>;
type Standings = ObservedPayment['standing'];

/**
 * When something happened, by the rail's own clock where that tells: never later than our look, and never earlier than the
 * last look that did not show it (a block's time may lie before its parents', or in the future).
 */
function timeOf(standing: Standings, now: Date, notBefore: Date | null): Date {
  if (standing.at !== 'block') return now;
  const at = Math.max(standing.minedAt.getTime(), notBefore?.getTime() ?? -Infinity);
  return at < now.getTime() ? new Date(at) : now;
}

function inBlock(before: Payin, standing: Standings & { at: 'block' }, terms: LookTerms, lookedAt: Date | null): Placed {
  const { now, policy } = terms;
  const { height, hash: block, confirmations, finalised } = standing;
  const placed: Payin = {
    ...before,
    ...{ height, block, confirmations, finalised },
    feeOk: true,
    deep: isDeep(policy, confirmations, finalised),
    ...(before.firstConfirmedAt === null && confirmedAt(before, standing, now, lookedAt)),
    ...shown,
  };
  if (before.status === 'final') {
    const stands = { ...placed, followed: confirmations < before.needed + policy.follow };
    return before.taken === 0n ? { payin: stands } : returned(stands, before.taken);
  }
  return before.status === 'seen' ? { payin: placed } : comeBack(before, placed, timeOf(standing, now, lookedAt), lookedAt);
}

const shown = { missingSince: null, missingTold: false };

/**
 * When it got into a block, and so by when it was paid at the latest. The last look showed it waiting, unless that did not show
 * it at all, which proves nothing.
 */
function confirmedAt(
  { seenAt, seenAfter, missingSince }: Payin,
  standing: Standings,
  now: Date,
  lookedAt: Date | null,
): Pick<Payin, 'seenAt' | 'firstConfirmedAt'> {
  const paidBy = seenAfter && timeOf(standing, now, seenAfter);
  const firstConfirmedAt = timeOf(standing, now, missingSince === null ? lookedAt : seenAfter);
  return { firstConfirmedAt, seenAt: paidBy && paidBy < seenAt ? paidBy : seenAt };
}

function inMempool(before: Payin, standing: Standings & { at: 'mempool' }, terms: LookTerms, lookedAt: Date | null): Placed {
  const feeOk = (standing.feeOk ?? before.feeOk) && !standing.replaceable;
  const placed: Payin = { ...before, ...nowhere, ...shown, feeOk };
  const tooOld = since(before.seenAt, terms.now) >= terms.giveUpMs;
  if (before.status === 'seen') {
    return tooOld ? givenUp(placed) : { payin: placed };
  }
  // What was given up stays so until it is in a block.
  return tooOld ? { payin: before } : comeBack(before, placed, terms.now, lookedAt);
}

const nowhere = { height: null, block: null, confirmations: 0, finalised: false, deep: false, firstConfirmedAt: null };

/** It was dropped or reversed and is there again: newly seen, at its new time. */
function comeBack(before: Payin, placed: Payin, seenAt: Date, seenAfter: Date | null): Placed {
  const firstConfirmedAt = placed.height === null ? null : seenAt;
  const payin: Payin = { ...placed, ...{ firstConfirmedAt, seenAt, seenAfter }, status: 'seen', back: true, followed: true };
  return { payin: { ...payin, finalAt: null, needed: before.needed }, event: 'seen' };
}

/**
 * It isn't shown where it stood, and nothing proves that it is gone: it stays as it is, and after a while people are told.
 * Only what never got into a block is given up by its age, shown or not.
 */
function missing(before: Payin, { now, alarmMs, giveUpMs }: LookTerms): Placed {
  if (before.status === 'seen' && before.height === null && since(before.seenAt, now) >= giveUpMs) return givenUp(before);
  const missingSince = before.missingSince ?? now;
  const missingTold = before.missingTold || since(missingSince, now) >= alarmMs;
  return { payin: { ...before, missingSince, missingTold, followed: true } };
}

const givenUp = (payin: Payin): Placed => ({ payin: gone(payin, 'dropped'), event: 'dropped', reason: 'given_up' });

function gone(before: Payin, status: 'dropped' | 'reversed'): Payin {
  return { ...before, ...nowhere, ...shown, deep: true, status, followed: status === 'reversed' };
}

/** A payment of which a part was taken back is there: that part is told by a later look, once the whole is ours. */
function booked(standing: Exclude<Standings, { at: 'mempool' }>, { now }: LookTerms): Standings & { at: 'block' } {
  if (standing.at === 'block') return standing;
  return { at: 'block', height: 0, hash: '', minedAt: now, confirmations: 1, finalised: true };
}

/** How much of what was taken back is ours again; `parts` may be all of it. */
function returned(before: Payin, parts: bigint): Placed {
  return { payin: { ...before, back: true, taken: before.taken - parts }, event: 'final', part: parts };
}

/** A part of a payment is taken back: told is how much more, or less, than was known. The rest of it stays ours. */
function takenInPart(before: Payin, standing: Standings & { at: 'taken_back' }, parts: bigint, terms: LookTerms): Placed {
  if (before.status === 'reversed') {
    // All of it had been taken back, and some of that is there again.
    const final: Payin = { ...before, status: 'final', taken: before.parts, finalAt: terms.now, needed: 1, height: 0 };
    return returned({ ...final, block: '', confirmations: 1, finalised: true }, before.parts - parts);
  }
  if (before.status !== 'final') return inBlock(before, booked(standing, terms), terms, null);
  const more = parts - before.taken;
  if (more < 0n) return returned(before, -more);
  if (more === 0n) return { payin: before };
  return { payin: { ...before, taken: parts }, event: 'reversed', reason: 'chargeback', part: more };
}

/** The provider itself says that it took it back, whenever that is: nothing has to be waited for. */
function takenBack(before: Payin, standing: Standings & { at: 'taken_back' }, terms: LookTerms): Placed {
  const { parts } = standing;
  if (parts !== undefined && parts < before.parts) return takenInPart(before, standing, parts, terms);
  if (before.status === 'dropped' || before.status === 'reversed') return { payin: before };
  const event = before.status === 'final' ? 'reversed' : 'dropped';
  // A dispute that is won is told by a message; nobody looks for it every few seconds.
  return { payin: { ...gone(before, event), taken: 0n, followed: false }, event, reason: 'chargeback' };
}

/**
 * People say that a payment was taken back, all of it or a part, or that it never was: told as if its rail had said so. A part
 * is taken of one that is final alone (`isOpenTo`).
 */
export function takenByPeople(before: Payin, parts?: bigint): Change {
  const isPart = parts !== undefined && parts < before.parts - before.taken;
  if (isPart) {
    const payin = { ...before, taken: before.taken + parts, decided: true };
    return { before, payin, event: 'reversed', reason: 'chargeback', part: parts };
  }
  const event = before.status === 'final' ? 'reversed' : 'dropped';
  return { before, payin: { ...gone(before, event), taken: 0n, followed: false, decided: true }, event, reason: 'chargeback' };
}

/** Decides whether a payment that is there and not credited is final at the depth asked of it, else how far it is. */
export function judge(change: Change, depth: Depth, now: Date): Change {
  const { payin, before } = change;
  if (payin.status !== 'seen') return change;
  const needed = depth.confirmations;
  // Out of sight just now: its old standing credits nothing.
  if (payin.missingSince === null && payin.height !== null && reaches(depth, payin.confirmations, payin.finalised)) {
    return { ...change, payin: { ...payin, needed, status: 'final', finalAt: now }, event: 'final' };
  }
  const moved = before && (isTold(before.confirmations, payin.confirmations) || before.needed !== needed);
  return { ...change, payin: { ...payin, needed }, ...(!change.event && moved && { event: 'progress' as const }) };
}

/** Does anything of a payment's row differ from what is stored? */
export function isChanged({ before, payin }: Change): boolean {
  return !before || (Object.keys(payin) as (keyof Payin)[]).some((name) => !isSame(before[name], payin[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

/** Has a payment become so deep by a change that it is no exposure any more? */
export const becameDeep = ({ before, payin }: Change): boolean =>
  payin.status === 'final' && payin.deep && !(before?.status === 'final' && before.deep);

/** What its provider has kept of a payment beyond what is posted already, in parts; below zero where it gave some back. */
export const feeMore = ({ before, payin }: Change): bigint => payin.fee - (before?.fee ?? 0n);

/** The body of the event that a change is told as. */
export function payinBody({ payin, reason, part }: Change, event: PayinEvent): PayinBody {
  const { back, foreign, firstConfirmedAt } = payin;
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
    feeOk: payin.feeOk,
    seenAt: payin.seenAt.toISOString(),
    ...(payin.seenAfter && { seenAfter: payin.seenAfter.toISOString() }),
    ...(firstConfirmedAt && { firstConfirmedAt: firstConfirmedAt.toISOString() }),
    confirmations: payin.confirmations,
    needed: payin.needed,
    ...(back && { again: true as const }),
    ...(foreign && { foreign: true as const }),
    ...(payin.source && { source: payin.source }),
    ...(payin.fee > 0n && { kept: payin.fee.toString() }),
    ...(reason && { reason }),
    ...(part !== undefined && { part: part.toString() }),
  };
}
