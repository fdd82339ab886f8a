// A payment into a wallet: its state, and the effect of each event of the payment on its state and on the books. Pure.

import { type RailAccount, min, move, takenBack } from '../../collecting/index.ts';
import { type AccountRef, type Journal, type Leg, accounts } from '../../ledger/index.ts';
import {
  type PayinBody,
  type PayinEvent,
  type PayoutBody,
  type PayoutBooks,
  type PayoutEvent,
  type PayoutMoney,
  type Returned,
  happeningOf,
  intentLegs,
  payoutLegs,
  returnedOf,
} from '../../payments/index.ts';
import { KIND, type DepositPosting, type DepositStatus, movedTo } from './deposit-machine.ts';

/** A payout that refunds a deposit, and its amount. */
export interface Back {
  readonly id: string;
  readonly parts: bigint;
}

/** A payment into a wallet. Amounts are parts of the wallet's unit. */
export interface Deposit {
  readonly payinId: string;
  readonly addressId: string;
  readonly holderId: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly txid: string;
  readonly status: DepositStatus;
  readonly confirmations: number;
  readonly needed: number;
  readonly seenAt: Date;
  readonly finalAt: Date | undefined;
  /** The provider's charge, which is subtracted once. */
  readonly fee: bigint;
  /** The amount in `wallet:uncleared`. The amounts of all the holder's deposits add up to that account's balance. */
  readonly uncleared: bigint;
  /** Amount that was taken back so far. */
  readonly taken: bigint;
  /** Amount of `taken` that the holder's money did not cover: the holder's debt. */
  readonly owed: bigint;
  /** True if a person has to check the deposit's sender. */
  readonly isFlagged: boolean;
  /** Reason why a person has to check the sender. */
  readonly why: string | undefined;
  readonly senders: readonly string[];
  readonly source: RailAccount | undefined;
  /** Time from which a reversible payment can no longer be taken back. */
  readonly freeAt: Date | undefined;
  /** Time at which the deposit was first available. */
  readonly clearedAt: Date | undefined;
  /** Time at which the deposit was taken back, refunded or dropped. */
  readonly endedAt: Date | undefined;
  /** Id of the current or last refund. */
  readonly backId: string | undefined;
  /** Amount of the current or last refund. */
  readonly backParts: bigint | undefined;
  /** Earlier refunds that were sent and have not come back. */
  readonly earlierBacks: readonly Back[];
  readonly decidedBy: string | undefined;
  /** While a person checks the sender: `asked` if papers were requested of the holder, `came` if they were received. */
  readonly papers: 'asked' | 'came' | undefined;
}

const NEW = {
  ...{ status: 'seen', fee: 0n, uncleared: 0n, taken: 0n, owed: 0n, isFlagged: false, why: undefined, finalAt: undefined },
  ...{ freeAt: undefined, clearedAt: undefined, endedAt: undefined, backId: undefined, backParts: undefined },
  ...{ earlierBacks: [], decidedBy: undefined, papers: undefined },
} as const satisfies Partial<Deposit>;

/** Returns a deposit with the data of a payment's event. The amounts and the status of its money don't change. */
export function sighted(body: PayinBody, known: Deposit | undefined, given: Pick<Deposit, 'addressId' | 'holderId'>): Deposit {
  const { payinId, currency, unit, txid, confirmations, needed, from, source } = body;
  return {
    ...(known ?? NEW),
    ...{ payinId, currency, unit, txid, confirmations, needed, ...given },
    parts: BigInt(body.parts),
    senders: from,
    source: source ?? known?.source,
    seenAt: known?.seenAt ?? new Date(body.seenAt),
  };
}

/**
 * Applies the event `seen` or `dropped` of a payment that is not final. While a part of the deposit waits for people, its status
 * doesn't change.
 */
export function beforeFinal(one: Deposit, event: PayinEvent, now: Date): Deposit {
  if (event !== 'seen' && event !== 'dropped') return one;
  const waits = one.status === 'returning' || one.uncleared > 0n;
  const status = movedTo(one.status, event === 'seen' ? 'see' : 'drop', waits ? one.status : event);
  return waits ? one : { ...one, status, endedAt: status === 'dropped' ? now : undefined };
}

/**
 * Clearance of a final deposit. With `why`, a person must check the sender first. With `freeAt`, the deposit is available from
 * that time on. Without both, the deposit is available at once.
 */
export interface Clearance {
  readonly why?: string | undefined;
  readonly freeAt?: Date | undefined;
}

/** A step of a deposit, with its journal. */
export interface Step {
  readonly deposit: Deposit;
  readonly journal: Journal | undefined;
}

const walletOf = ({ holderId, unit }: Deposit): AccountRef => accounts.wallet(holderId, unit);
const unclearedOf = ({ holderId, unit }: Deposit): AccountRef => accounts.walletUncleared(holderId, unit);
const receivableOf = ({ holderId, unit }: Deposit): AccountRef => accounts.receivable(holderId, unit);

function journalOf(posting: DepositPosting, one: Deposit, id: string, legs: readonly Leg[]): Journal | undefined {
  return legs.length === 0 ? undefined : { id, kind: KIND[posting], cause: one.payinId, legs };
}

/**
 * Returns true if the deposit is already credited for a payment that is reported as final. The deposit is credited again only
 * after the whole payment was taken back.
 */
export const isCounted = ({ finalAt, parts, taken }: Deposit, { part }: PayinBody): boolean =>
  part === undefined && finalAt !== undefined && taken < parts;

/**
 * Credits an arrival to the holder, minus the provider's charge, which is subtracted once. The money is available, or uncleared
 * while a person must check the sender or the rail can take it back. If a payment arrives again after a reversal, it first
 * settles the debt for that reversal. If only a part arrives again, it joins the rest of the deposit.
 */
export function arrive(one: Deposit, body: PayinBody, { why, freeAt }: Clearance, now: Date, id: string): Step {
  const joins = body.part !== undefined || one.status === 'returning' || one.uncleared > 0n;
  // A person's decision about the sender stays valid when the payment arrives again.
  const isFlagged = joins ? one.isFlagged : why !== undefined && one.decidedBy === undefined;
  const until = joins ? one.freeAt : freeAt;
  // Money that joins a waiting part waits until that part is cleared.
  const held = isFlagged || (until !== undefined && until > now) || one.uncleared > 0n;
  const parts = partsOf(body);
  const settled = min(one.owed, parts);
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const into = held ? unclearedOf(one) : walletOf(one);
  const retained = body.part === undefined ? BigInt(body.retained ?? '0') - one.fee : 0n;
  const fee = retained > 0n ? min(retained, parts - settled) : 0n;
  const legs = [
    ...move(custody, receivableOf(one), settled),
    ...move(custody, into, parts - settled),
    ...move(into, accounts.income('fee', one.unit), fee),
  ];
  const left = body.part === undefined ? 0n : one.taken - min(one.taken, parts);
  const status = one.status === 'returning' ? one.status : isFlagged ? 'checking' : held ? 'maturing' : 'final';
  const deposit: Deposit = {
    ...one,
    ...{
      status: movedTo(one.status, 'arrive', status),
      isFlagged,
      why: joins ? one.why : why,
      freeAt: until,
      taken: left,
      endedAt: undefined,
    },
    fee: one.fee + fee,
    owed: one.owed - settled,
    uncleared: one.uncleared + (held ? parts - settled - fee : 0n),
    finalAt: one.finalAt ?? now,
    clearedAt: one.clearedAt ?? (held ? undefined : now),
  };
  return { deposit, journal: journalOf('credit', one, id, legs) };
}

/** Balances that a reversal can take from, in parts. */
export interface There {
  /** Available balance of the wallet. */
  readonly available: bigint;
  /** Balance in custody, at the location where the payment arrived. */
  readonly custody: bigint;
}

/** Returns the amount of a deposit that an event takes back: the stated part, or all that was not taken back before. */
export const takenOf = (one: Deposit, body: PayinBody): bigint =>
  body.part === undefined ? one.parts - min(one.taken, one.parts) : BigInt(body.part);

/**
 * Takes back a payment: first from the deposit's uncleared part, then from the wallet's available money. The rest becomes the
 * holder's debt. If custody lacks the money, the desk owes it to the rail, whose name is `rail`.
 */
export function takeBack(one: Deposit, body: PayinBody, rail: string, there: There, now: Date, id: string): Step {
  const parts = takenOf(one, body);
  const uncleared = min(one.uncleared, parts);
  const available = min(there.available, parts - uncleared);
  const owed = parts - uncleared - available;
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const legs = takenBack(
    [
      [unclearedOf(one), uncleared],
      [walletOf(one), available],
      [receivableOf(one), owed],
    ],
    { place: custody, rail, held: there.custody },
  );
  // If an earlier reversal was taken from the wallet, the same amount of the deposit stays uncleared, and people still decide
  // about it.
  const isOver = body.part === undefined && one.uncleared === uncleared;
  const deposit: Deposit = {
    ...one,
    status: movedTo(one.status, 'take_back', isOver && one.status !== 'returning' ? 'reversed' : one.status),
    uncleared: one.uncleared - uncleared,
    owed: one.owed + owed,
    taken: one.taken + parts,
    endedAt: isOver ? now : one.endedAt,
  };
  return { deposit, journal: journalOf('take', one, id, legs) };
}

/** Returns a deposit with a new status of its papers; undefined if its papers already have that status. */
export const withPapers = (one: Deposit, papers: 'asked' | 'came'): Deposit | undefined =>
  one.papers === papers ? undefined : { ...one, papers };

/**
 * Releases a deposit after a person's check. The deposit is then available, or stays uncleared while the rail can take the
 * payment back.
 */
export function release(one: Deposit, decidedBy: string, now: Date, id: string): Step {
  const checked = { ...one, isFlagged: false, decidedBy, papers: undefined };
  const waits = one.freeAt !== undefined && one.freeAt > now;
  return waits
    ? { deposit: { ...checked, status: movedTo(one.status, 'release', 'maturing') }, journal: undefined }
    : clear(checked, now, id, 'release');
}

/** Makes all uncleared money of a deposit available. */
export function clear(one: Deposit, now: Date, id: string, by: 'mature' | 'release' = 'mature'): Step {
  const legs = move(unclearedOf(one), walletOf(one), one.uncleared);
  const status = movedTo(one.status, by, 'final');
  const deposit: Deposit = { ...one, status, uncleared: 0n, clearedAt: one.clearedAt ?? now };
  return { deposit, journal: journalOf('clear', one, id, legs) };
}

/** Settles the debt for a deposit that was taken back, up to the wallet's available money. */
export function settle(one: Deposit, available: bigint, id: string): Step {
  const parts = min(one.owed, available > 0n ? available : 0n);
  const journal = journalOf('settle', one, id, move(walletOf(one), receivableOf(one), parts));
  return { deposit: { ...one, status: movedTo(one.status, 'settle', one.status), owed: one.owed - parts }, journal };
}

/** Returns the refunds of a deposit that are being sent or were sent and have not come back, the latest last. */
export const backsOf = ({ earlierBacks, backId: id, backParts: parts }: Deposit): readonly Back[] =>
  id === undefined || parts === undefined ? earlierBacks : [...earlierBacks, { id, parts }];

/** Returns a refund in the form that the payments room requires, with the accounts and kinds of its postings. */
export const backMoney = (one: Deposit, { id, parts }: Back): PayoutMoney & { readonly books: PayoutBooks } => ({
  ...{ id, parts, currency: one.currency, unit: one.unit },
  books: {
    ...{ cause: one.payinId, back: unclearedOf(one), fee: 0n },
    kinds: { sent: 'sent', notSent: 'refused', returned: 'returned' },
  },
});

/** Refunds the uncleared part of a deposit. Throws if the deposit has no uncleared part. */
export function giveBack(one: Deposit, backId: string, decidedBy: string, id: string): Step {
  if (one.uncleared === 0n) throw new RangeError(`nothing is uncleared of the deposit ${one.payinId}`);
  const legs = intentLegs(backMoney(one, { id: backId, parts: one.uncleared }));
  const back = { backId, backParts: one.uncleared, earlierBacks: backsOf(one) };
  const status = movedTo(one.status, 'give_back', 'returning');
  const deposit: Deposit = { ...one, ...back, status, uncleared: 0n, decidedBy, papers: undefined };
  return { deposit, journal: journalOf('intent', one, id, legs) };
}

/**
 * Returns the fields of a deposit after an event of its refund. If a part is uncleared, the deposit waits for a person; otherwise
 * it has ended.
 */
function waiting(
  one: Deposit,
  event: 'left' | 'stayed' | 'came_back',
  uncleared: bigint,
  now: Date,
): Pick<Deposit, 'uncleared' | 'status' | 'endedAt'> {
  const waits = uncleared > 0n;
  const ended = event === 'left' ? 'returned' : 'reversed';
  return { uncleared, status: movedTo(one.status, event, waits ? 'checking' : ended), endedAt: waits ? undefined : now };
}

const LEFT: ReadonlySet<PayoutEvent> = new Set(['accepted', 'found']);
const STAYED: ReadonlySet<PayoutEvent> = new Set(['refused', 'absent', 'kept']);

/**
 * An event of a refund. Without `payout`, the event concerns the deposit's last refund. Without `back`, the whole refund came
 * back.
 */
interface BackWord {
  readonly event: PayoutEvent;
  readonly payout?: string;
  readonly back?: Returned | undefined;
}

/**
 * Applies an event of a refund, and returns undefined if nothing changes. A refund has left once its rail has it. If the refund
 * is refused, held back, proven unsent or returned, its money is uncleared again and waits for a person. Money that was taken
 * back meanwhile is subtracted; money that arrived meanwhile is uncleared and waits, too. The refund may also be an earlier one
 * that comes back. The payments room has already posted the outcome, except for a refund that was held back.
 */
export function afterGiveBack(one: Deposit, word: PayoutEvent | BackWord, now: Date, id: string): Step | undefined {
  const { event, payout = one.backId, back } = typeof word === 'string' ? { event: word } : word;
  const given = backsOf(one).find((each) => each.id === payout);
  if (!given) return undefined;
  const isLast = given.id === one.backId;
  const isUnderWay = isLast && one.status === 'returning';
  if (isUnderWay && LEFT.has(event))
    return { deposit: { ...one, ...waiting(one, 'left', one.uncleared, now) }, journal: undefined };
  // Since the refund left, the deposit's payment may have been taken back, or may have arrived again.
  const isBack = !isUnderWay && event === 'returned';
  if (!isBack && !(isUnderWay && STAYED.has(event))) return undefined;
  // The desk bears the rail's charge for a refund that comes back, unless the receiver caused the return.
  const { came, lost } = (isBack ? back : undefined) ?? { came: given.parts, lost: 0n };
  const parts = came + lost;
  const settled = min(one.owed, parts);
  const isKept = event === 'kept';
  const legs = [
    ...(isKept ? payoutLegs('notSent', backMoney(one, given)) : []),
    ...move(unclearedOf(one), receivableOf(one), settled),
  ];
  const uncleared = one.uncleared + parts - settled;
  const deposit: Deposit = {
    ...one,
    // While a later refund is being sent, the status depends on that refund.
    ...(!isLast && one.status === 'returning'
      ? { uncleared }
      : { ...waiting(one, isBack ? 'came_back' : 'stayed', uncleared, now), decidedBy: undefined }),
    ...(isLast
      ? { backId: undefined, backParts: undefined }
      : { earlierBacks: one.earlierBacks.filter((each) => each !== given) }),
    owed: one.owed - settled,
    isFlagged: true,
  };
  return { deposit, journal: journalOf(isKept ? 'intent_back' : 'settle_back', one, id, legs) };
}

/**
 * Returns a deposit's money as the books have it. `undelivered`: events that the payments room has posted and published, but
 * the deposit has not handled yet.
 */
export function asPosted(
  one: Deposit,
  undelivered: readonly PayoutBody[],
): { readonly uncleared: bigint; readonly leaving: bigint } {
  let { uncleared } = one;
  let leaving = one.status === 'returning' ? (one.backParts ?? 0n) : 0n;
  for (const body of undelivered) {
    const happening = happeningOf(body.event);
    const { came, lost } = returnedOf(body, BigInt(body.parts));
    if (happening === 'returned') uncleared += came + lost;
    else if (happening !== undefined) leaving = 0n;
    if (happening === 'notSent') uncleared += came;
  }
  return { uncleared, leaving };
}

/** Returns the amount that a payment's event concerns, in parts. */
const partsOf = (body: PayinBody): bigint => BigInt(body.part ?? body.parts);
