import type { Account, Sighting } from '../rails/rail.ts';
import type { Owner } from './owner.ts';
import type { PayinBody, PayinEvent } from './facts.ts';
import { type Depth, type FinalityPolicy, isDeep, reaches } from './finality.ts';

/**
 * A payment to a place of ours, as we know it.
 * - `seen`: on the rail, not final: no money of ours yet · `final`: credited · `dropped`: gone before it was final, or
 *   given up · `reversed`: gone after it was final
 * - `missingSince`: when a look first failed to show it where it stood; a grace later it is dropped or reversed
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
  /** Of one that is final: what its provider has taken back of it so far, in parts, as told. */
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
  readonly firstConfirmedAt: Date | null;
  readonly finalAt: Date | null;
  readonly missingSince: Date | null;
}

/** What one look did to one payment: how it stands now, and what is to be told, if anything. */
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
  /** How long a payment may be out of sight before it counts as gone, in milliseconds. */
  readonly droppedGraceMs: number;
  readonly reversedGraceMs: number;
  readonly giveUpMs: number;
}

const since = (at: Date, now: Date): number => now.getTime() - at.getTime();

/**
 * How a known payment stands after a look that shows it (`sighting`) or doesn't. Whether it is final is decided
 * afterwards by `judge`, since that hangs on everything exposed together with it. `isReplaced`: the look shows another
 * that spends the same in its stead, so that its absence is no lapse.
 */
export function look(known: Payin, sighting: Sighting | undefined, terms: LookTerms, isReplaced = false): Change {
  const change = lookAt(known, sighting, terms, isReplaced);
  if (!sighting) return change;
  const { payin } = change;
  return { ...change, kept: sighting.fee ?? payin.fee, payin: { ...payin, source: payin.source ?? sighting.source ?? null } };
}

/** What a provider keeps of a payment counts, and is posted, once the payment is ours. */
export function withFee(change: Change): Change {
  const { payin, kept = payin.fee } = change;
  return payin.status === 'final' ? { ...change, payin: { ...payin, fee: kept } } : change;
}

function lookAt(before: Payin, sighting: Sighting | undefined, terms: LookTerms, isReplaced: boolean): Change {
  if (sighting?.standing.at === 'block') return { before, ...inBlock(before, sighting.standing, terms) };
  if (sighting?.standing.at === 'taken_back') return { before, ...takenBack(before, sighting.standing, terms) };
  if (before.status === 'final') return lost(before, terms, terms.reversedGraceMs, 'reversed', 'reorg');
  if (!sighting) {
    if (before.status === 'reversed' && since(before.seenAt, terms.now) >= terms.giveUpMs) {
      return { before, payin: { ...before, followed: false } };
    }
    if (before.status !== 'seen') return { before, payin: before };
    return isReplaced
      ? lost(before, terms, 0, 'dropped', 'replaced')
      : lost(before, terms, terms.droppedGraceMs, 'dropped', 'vanished');
  }
  return { before, ...inMempool(before, sighting.standing, terms) };
}

/** A payment that was not known, as a look shows it: always `seen` at first. Of one that was taken back nothing is told. */
export function firstSight(
  fresh: Pick<Payin, 'id' | 'number' | 'owner' | 'customer' | 'unit' | 'place' | 'foreign' | 'usd'>,
  sighting: Sighting,
  terms: LookTerms,
): Change {
  const { key, currency, parts, txid, from, inputs = [], source = null, standing } = sighting;
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
    seenAt: terms.now,
    firstConfirmedAt: null,
    finalAt: null,
    missingSince: null,
  };
  if (standing.at === 'taken_back' && standing.parts === undefined) {
    return { before: undefined, payin: takenBack(payin, standing, terms).payin };
  }
  const placed = standing.at === 'mempool' ? inMempool(payin, standing, terms) : inBlock(payin, booked(standing, terms), terms);
  return { before: undefined, payin: placed.payin, event: 'seen', ...(sighting.fee !== undefined && { kept: sighting.fee }) };
}

type Placed = Pick<Change, 'payin' | 'event' | 'reason' | 'part'>;
type Standings = Sighting['standing'];

function inBlock(before: Payin, standing: Sighting['standing'] & { at: 'block' }, { now, policy }: LookTerms): Placed {
  const { height, hash: block, confirmations, finalised } = standing;
  const placed: Payin = {
    ...before,
    ...{ height, block, confirmations, finalised },
    feeOk: true,
    deep: isDeep(policy, confirmations, finalised),
    firstConfirmedAt: before.firstConfirmedAt ?? now,
    missingSince: null,
  };
  if (before.status === 'final') {
    const stands = { ...placed, followed: confirmations < before.needed + policy.follow };
    return before.taken === 0n ? { payin: stands } : returned(stands, before.taken);
  }
  return before.status === 'seen' ? { payin: placed } : comeBack(before, placed, now);
}

function inMempool(before: Payin, standing: Sighting['standing'] & { at: 'mempool' }, terms: LookTerms): Placed {
  const feeOk = (standing.feeOk ?? before.feeOk) && !standing.replaceable;
  const placed: Payin = { ...before, ...nowhere, feeOk, missingSince: null };
  const tooOld = since(before.seenAt, terms.now) >= terms.giveUpMs;
  if (before.status === 'seen') {
    return tooOld ? { payin: gone(placed, 'dropped'), event: 'dropped', reason: 'given_up' } : { payin: placed };
  }
  // What was given up stays so until it is in a block.
  return tooOld ? { payin: before } : comeBack(before, placed, terms.now);
}

const nowhere = { height: null, block: null, confirmations: 0, finalised: false, deep: false, firstConfirmedAt: null };

/** It was dropped or reversed and is there again: newly seen. */
function comeBack(before: Payin, placed: Payin, now: Date): Placed {
  const firstConfirmedAt = placed.height === null ? null : now;
  const payin: Payin = { ...placed, firstConfirmedAt, status: 'seen', back: true, followed: true, seenAt: now };
  return { payin: { ...payin, finalAt: null, needed: before.needed }, event: 'seen' };
}

/** It isn't where it stood. One look is no proof, so a grace passes first, during which nothing is told. */
function lost(
  before: Payin,
  { now }: LookTerms,
  graceMs: number,
  event: 'dropped' | 'reversed',
  reason: NonNullable<Change['reason']>,
): Change {
  const missingSince = before.missingSince ?? now;
  if (since(missingSince, now) < graceMs) return { before, payin: { ...before, missingSince, followed: true } };
  return { before, payin: gone(before, event), event, reason };
}

function gone(before: Payin, status: 'dropped' | 'reversed'): Payin {
  return { ...before, ...nowhere, deep: true, status, missingSince: null, followed: status === 'reversed' };
}

/** A payment of which a part was taken back is there: that part is told by a later look, once the whole is ours. */
function booked(standing: Exclude<Standings, { at: 'mempool' }>, { now }: LookTerms): Standings & { at: 'block' } {
  if (standing.at === 'block') return standing;
  return { at: 'block', height: 0, hash: '', minedAt: now, confirmations: 1, finalised: true };
}

/** Of what had been taken back so much is ours again; `parts` may be all of it. */
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
  if (before.status !== 'final') return inBlock(before, booked(standing, terms), terms);
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
 * People say that a payment was taken back, all of it or a part, or that it never was: told as if its rail had said so. Of one
 * that isn't final all of it is gone.
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
  const moved = before && (before.confirmations !== payin.confirmations || before.needed !== needed);
  return { ...change, payin: { ...payin, needed }, ...(!change.event && moved && { event: 'progress' as const }) };
}

/** Does anything of a payment's row differ from what is stored? */
export function isChanged({ before, payin }: Change): boolean {
  return !before || (Object.keys(payin) as (keyof Payin)[]).some((name) => !isSame(before[name], payin[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

/** What its provider has kept of a payment beyond what is posted already, in parts; below zero where it gave some back. */
export const feeMore = ({ before, payin }: Change): bigint => payin.fee - (before?.fee ?? 0n);

/** The body of the fact that a change is told as. */
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
