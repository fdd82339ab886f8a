// A payment into a wallet: how it stands, and what each word of payments does to it and to the books. Pure.

import { type RailAccount, least, move, takenBack } from '../../collecting/index.ts';
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

/** A payout that gives a deposit back, and how much of it. */
export interface Back {
  readonly id: string;
  readonly parts: bigint;
}

/** A payment into a wallet. Amounts are parts of its unit. */
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
  /** The part that its provider kept: taken off once. */
  readonly fee: bigint;
  /** The part in `wallet:uncleared`; the deposits' parts add up to that account. */
  readonly uncleared: bigint;
  /** The part that was taken back so far, and how much of that was not covered. */
  readonly taken: bigint;
  readonly owed: bigint;
  /** A person has to look at its sender, and what for. */
  readonly flagged: boolean;
  readonly why: string | undefined;
  readonly senders: readonly string[];
  readonly source: RailAccount | undefined;
  /** When what can be taken back stops being so. */
  readonly freeAt: Date | undefined;
  /** When it was available for the first time; when it was taken back, given back or gone. */
  readonly clearedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** The payout that gives it back, or gave it back last, and how much; those before it that left and stand. */
  readonly backId: string | undefined;
  readonly backParts: bigint | undefined;
  readonly earlierBacks: readonly Back[];
  readonly decidedBy: string | undefined;
  /** While a person looks at it: papers that were asked of its holder, or have come. */
  readonly papers: 'asked' | 'came' | undefined;
}

const NEW = {
  ...{ status: 'seen', fee: 0n, uncleared: 0n, taken: 0n, owed: 0n, flagged: false, why: undefined, finalAt: undefined },
  ...{ freeAt: undefined, clearedAt: undefined, endedAt: undefined, backId: undefined, backParts: undefined },
  ...{ earlierBacks: [], decidedBy: undefined, papers: undefined },
} as const satisfies Partial<Deposit>;

/** A deposit as payments' word shows it on its rail; nothing of where its money stands is decided by that. */
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
 * A deposit that isn't final: seen, seen again, followed, or gone. As long as some of it waits for people it stands as it is.
 */
export function beforeFinal(one: Deposit, event: PayinEvent, now: Date): Deposit {
  if (event !== 'seen' && event !== 'dropped') return one;
  const waits = one.status === 'returning' || one.uncleared > 0n;
  const status = movedTo(one.status, event === 'seen' ? 'see' : 'drop', waits ? one.status : event);
  return waits ? one : { ...one, status, endedAt: status === 'dropped' ? now : undefined };
}

/** What a final deposit may be used for: at once (both absent), after a person has looked at it, or from a moment on. */
export interface Standing {
  readonly why?: string | undefined;
  readonly freeAt?: Date | undefined;
}

/** A step of a deposit, with what it does to the books. */
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

/** Whether a payment that is told as final counts already: it is told once, and again only after all of it was taken back. */
export const isCounted = ({ finalAt, parts, taken }: Deposit, { part }: PayinBody): boolean =>
  part === undefined && finalAt !== undefined && taken < parts;

/**
 * What arrived is the holder's, less what its provider kept of it, once; available, or uncleared while a person has to
 * look at its sender or its rail can take it back. What is back after it was taken first settles what was owed for
 * it. What comes back in part joins the rest.
 */
export function arrive(one: Deposit, body: PayinBody, { why, freeAt }: Standing, now: Date, id: string): Step {
  const joins = body.part !== undefined || one.status === 'returning' || one.uncleared > 0n;
  // A person's word on it stands when it comes again.
  const flagged = joins ? one.flagged : why !== undefined && one.decidedBy === undefined;
  const until = joins ? one.freeAt : freeAt;
  // What joins money that still waits waits with it.
  const held = flagged || (until !== undefined && until > now) || one.uncleared > 0n;
  const parts = partsOf(body);
  const settled = least(one.owed, parts);
  const custody = accounts.custody(body.currency, body.place, body.unit);
  const into = held ? unclearedOf(one) : walletOf(one);
  const kept = body.part === undefined ? BigInt(body.kept ?? '0') - one.fee : 0n;
  const fee = kept > 0n ? least(kept, parts - settled) : 0n;
  const legs = [
    ...move(custody, receivableOf(one), settled),
    ...move(custody, into, parts - settled),
    ...move(into, accounts.income('fee', one.unit), fee),
  ];
  const left = body.part === undefined ? 0n : one.taken - least(one.taken, parts);
  const status = one.status === 'returning' ? one.status : flagged ? 'checking' : held ? 'maturing' : 'final';
  const deposit: Deposit = {
    ...one,
    ...{
      status: movedTo(one.status, 'arrive', status),
      flagged,
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

/** What there is to take from, and to give out of, when a rail takes a payment back: in parts. */
export interface There {
  /** In the wallet. */
  readonly available: bigint;
  /** Where the payment came to lie. */
  readonly custody: bigint;
}

/** How much a rail takes back of a deposit: a part, or all that it hasn't taken before. */
export const takenOf = (one: Deposit, body: PayinBody): bigint =>
  body.part === undefined ? one.parts - least(one.taken, one.parts) : BigInt(body.part);

/**
 * What was taken back leaves what is uncleared of it, then the wallet as far as it is there; the rest is owed to
 * us. Where its place in custody doesn't hold it we owe it to the rail. `rail`: the name of that.
 */
export function takeBack(one: Deposit, body: PayinBody, rail: string, there: There, now: Date, id: string): Step {
  const parts = takenOf(one, body);
  const uncleared = least(one.uncleared, parts);
  const available = least(there.available, parts - uncleared);
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
  // What was taken from the wallet before leaves as much uncleared: people still decide upon that.
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

/** A person looks at its sender: its holder is asked for papers, or they have come. Undefined where it stands so already. */
export const withPapers = (one: Deposit, papers: 'asked' | 'came'): Deposit | undefined =>
  one.papers === papers ? undefined : { ...one, papers };

/** A person has looked at its sender and lets it go on: available, or uncleared until its rail can't take it back. */
export function release(one: Deposit, decidedBy: string, now: Date, id: string): Step {
  const looked = { ...one, flagged: false, decidedBy, papers: undefined };
  const waits = one.freeAt !== undefined && one.freeAt > now;
  return waits
    ? { deposit: { ...looked, status: movedTo(one.status, 'release', 'maturing') }, journal: undefined }
    : clear(looked, now, id, 'release');
}

/** Uncleared money is available. */
export function clear(one: Deposit, now: Date, id: string, by: 'mature' | 'release' = 'mature'): Step {
  const legs = move(unclearedOf(one), walletOf(one), one.uncleared);
  const status = movedTo(one.status, by, 'final');
  const deposit: Deposit = { ...one, status, uncleared: 0n, clearedAt: one.clearedAt ?? now };
  return { deposit, journal: journalOf('clear', one, id, legs) };
}

/** What is owed for a deposit that was taken back is settled from what has come into the wallet since, as far as it goes. */
export function settle(one: Deposit, available: bigint, id: string): Step {
  const parts = least(one.owed, available > 0n ? available : 0n);
  const journal = journalOf('settle', one, id, move(walletOf(one), receivableOf(one), parts));
  return { deposit: { ...one, status: movedTo(one.status, 'settle', one.status), owed: one.owed - parts }, journal };
}

/** The payouts that give a deposit back, or gave it back and stand: the last of them last. */
export const backsOf = ({ earlierBacks, backId: id, backParts: parts }: Deposit): readonly Back[] =>
  id === undefined || parts === undefined ? earlierBacks : [...earlierBacks, { id, parts }];

/** A payout that gives a deposit back, as payments is asked for it, and posts what becomes of it. */
export const backMoney = (one: Deposit, { id, parts }: Back): PayoutMoney & { readonly books: PayoutBooks } => ({
  ...{ id, parts, currency: one.currency, unit: one.unit },
  books: {
    ...{ cause: one.payinId, back: unclearedOf(one), fee: 0n },
    kinds: { sent: 'sent', notSent: 'refused', returned: 'returned' },
  },
});

/** The refund of a deposit: what is uncleared of it goes to where it came from. Throws where nothing is. */
export function giveBack(one: Deposit, backId: string, decidedBy: string, id: string): Step {
  if (one.uncleared === 0n) throw new RangeError(`nothing is uncleared of the deposit ${one.payinId}`);
  const legs = intentLegs(backMoney(one, { id: backId, parts: one.uncleared }));
  const back = { backId, backParts: one.uncleared, earlierBacks: backsOf(one) };
  const status = movedTo(one.status, 'give_back', 'returning');
  const deposit: Deposit = { ...one, ...back, status, uncleared: 0n, decidedBy, papers: undefined };
  return { deposit, journal: journalOf('intent', one, id, legs) };
}

/** How a deposit stands of which so much is uncleared: that waits for a person; where nothing is it has ended. */
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
 * What is told of a payout that gives a deposit back: the last one of it without a `payout`; what came back of it, without
 * `back` all.
 */
interface BackWord {
  readonly event: PayoutEvent;
  readonly payout?: string;
  readonly back?: Returned | undefined;
}

/**
 * What becomes of giving a deposit back: it left once its rail has it; refused, not let out or proven absent, or come back
 * later, it is uncleared again and waits for a person, less what was taken back of it meanwhile. So does what has come of it
 * since then, and stays uncleared when the rest has left. An earlier payout may come back, too. Undefined where nothing
 * changes. Payments has posted what it tells; only what was kept is given back here.
 */
export function afterGiveBack(one: Deposit, word: PayoutEvent | BackWord, now: Date, id: string): Step | undefined {
  const { event, payout = one.backId, back } = typeof word === 'string' ? { event: word } : word;
  const given = backsOf(one).find((each) => each.id === payout);
  if (!given) return undefined;
  const isLast = given.id === one.backId;
  const isUnderWay = isLast && one.status === 'returning';
  if (isUnderWay && LEFT.has(event))
    return { deposit: { ...one, ...waiting(one, 'left', one.uncleared, now) }, journal: undefined };
  // It may have been taken back, or have come again, since it left.
  const isBack = !isUnderWay && event === 'returned';
  if (!isBack && !(isUnderWay && STAYED.has(event))) return undefined;
  // What its rail kept on the way is the desk's to bear, unless the receiver is the cause.
  const { came, lost } = (isBack ? back : undefined) ?? { came: given.parts, lost: 0n };
  const parts = came + lost;
  const settled = least(one.owed, parts);
  const isKept = event === 'kept';
  const legs = [
    ...(isKept ? payoutLegs('notSent', backMoney(one, given)) : []),
    ...move(unclearedOf(one), receivableOf(one), settled),
  ];
  const uncleared = one.uncleared + parts - settled;
  const deposit: Deposit = {
    ...one,
    // While a later payout is under way, that decides how it stands.
    ...(!isLast && one.status === 'returning'
      ? { uncleared }
      : { ...waiting(one, isBack ? 'came_back' : 'stayed', uncleared, now), decidedBy: undefined }),
    ...(isLast
      ? { backId: undefined, backParts: undefined }
      : { earlierBacks: one.earlierBacks.filter((each) => each !== given) }),
    owed: one.owed - settled,
    flagged: true,
  };
  return { deposit, journal: journalOf(isKept ? 'intent_back' : 'settle_back', one, id, legs) };
}

/** A deposit's money by the books: payments has posted what these events tell of giving it back, and it doesn't know that yet. */
export function asPosted(one: Deposit, untold: readonly PayoutBody[]): { readonly uncleared: bigint; readonly leaving: bigint } {
  let { uncleared } = one;
  let leaving = one.status === 'returning' ? (one.backParts ?? 0n) : 0n;
  for (const body of untold) {
    const happening = happeningOf(body.event);
    const { came, lost } = returnedOf(body, BigInt(body.parts));
    if (happening === 'returned') uncleared += came + lost;
    else if (happening !== undefined) leaving = 0n;
    if (happening === 'notSent') uncleared += came;
  }
  return { uncleared, leaving };
}

/** How much a word of payments is about, in parts. */
const partsOf = (body: PayinBody): bigint => BigInt(body.part ?? body.parts);
