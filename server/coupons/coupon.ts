// The state machine of a coupon: its states, the events that change them, and the posting of each step. Pure.

import { randomInt } from 'node:crypto';
import { copiedCode, withDigits, withLatinLetters } from '@kurs/contract';
import { REWARD_UNIT } from '@kurs/money';
import { type Journal, accounts, leg } from '../ledger/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';

export type CouponKind = 'percent' | 'fixed' | 'late' | 'credit';
export type CouponState = 'waiting' | 'live' | 'over' | 'stopped' | 'void';

/** A coupon. Sums are parts of the unit of rewards. */
export interface Coupon {
  readonly id: string;
  readonly code: string;
  readonly kind: CouponKind;
  readonly state: CouponState;
  /** Percentage of the fee, as decimal text. */
  readonly percent: string | undefined;
  readonly value: bigint | undefined;
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
  readonly uses: number | undefined;
  readonly perCustomer: number;
  /** Slugs of the directions that it is for. */
  readonly directions: readonly string[] | undefined;
  /** Minimum worth of an order. */
  readonly min: bigint;
  readonly isFirstOnly: boolean;
  readonly emailKey: string | undefined;
  readonly holderId: string | undefined;
  /** True if the holder has switched the credit off. */
  readonly isOff: boolean;
  readonly taken: number;
  readonly budget: bigint;
  readonly held: bigint;
  readonly fromPot: bigint;
  readonly max: bigint;
  readonly madeBy: readonly string[];
  readonly madeAt: Date;
  /** Action of the desk that made it. */
  readonly action: string | undefined;
  /** For a late coupon: the order that earned it, the identities of its customer, and the time at which it became live. */
  readonly earnedBy: string | undefined;
  readonly earnedKeys: readonly string[] | undefined;
  readonly givenAt: Date | undefined;
  /** True if SQL changed the coupon's row. Such a coupon gives nothing. */
  readonly isAltered?: boolean;
}

/** Smaller amounts count as none: 0.01 in minor units. */
export const MIN_PARTS = 10_000n;

/** True if the coupon's money was set aside when the coupon was made. */
export const isFunded = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind !== 'percent';
/** True if the coupon's money came out of the pot of late coupons. */
const isOfPot = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind === 'fixed' || kind === 'late';
/** True if the coupon is one balance, which orders use until it is empty. */
export const isBalance = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind === 'late' || kind === 'credit';
/** Returns the pot that gets the rest of a funded coupon: a credit was made of prizes. */
const potFor = ({ kind }: Pick<Coupon, 'kind'>) => potAccount(kind === 'credit' ? 'earn' : 'late');

/** The account of a coupon's money. */
export const couponAccount = (id: string) => accounts.coupon(id, REWARD_UNIT);

type Event = 'filled' | 'ended' | 'stop' | 'unearned' | 'closed';
type Posting = 'fund' | 'give_back';
type Row = MachineRow<CouponState, Event, Posting>;

/** The only changes of a coupon's state. An event without a row changes nothing. */
const ROWS: readonly Row[] = [
  { from: ['waiting'], event: 'filled', who: 'S', next: ['live'], money: ['fund'] },
  { from: ['live'], event: 'ended', who: 'S', next: ['over'], money: ['give_back'] },
  { from: ['live'], event: 'stop', who: 'O', next: ['stopped'], money: ['give_back'] },
  { from: ['waiting', 'live'], event: 'unearned', who: 'S', next: ['void'], money: ['give_back'] },
  { from: ['live'], event: 'closed', who: 'S', next: ['over'], money: ['give_back'], when: 'the account of a credit' },
];

/** Words for each posting, with its accounts. */
export const COUPON_POSTINGS: Readonly<Record<Posting, string>> = {
  fund: 'set aside: `promo:late → coupon`',
  give_back: 'what is not held, of a fixed or a late one: `coupon → promo:late`, of a credit: `coupon → promo:earn`',
};

/** The table of coupons, for its drawing and its proof. */
export const COUPON_MACHINE: Machine<CouponState, Event, Row> = {
  name: 'coupon',
  file: 'server/coupons/coupon.ts',
  begins: [
    { state: 'live', event: 'made' },
    { state: 'waiting', event: 'made: late, and pot or day does not reach' },
  ],
  states: {
    waiting: 'nowhere: it waits for the pot, or the next day',
    live: 'in `coupon:<id>`; of a percent coupon nowhere',
    over: 'nowhere but for what is held: its window or its account is over, or nothing is left',
    stopped: 'nowhere but for what is held: people stopped it',
    void: 'nowhere but for what is held: the order that earned it counts no more',
  },
  rests: new Set(['over', 'stopped', 'void']),
  actors: { S: 'system', O: 'operator' },
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns a coupon after an event, with the amount that goes back to its pot, or undefined if the table has no such step. */
export function stepOf(
  coupon: Coupon,
  event: Exclude<Event, 'filled'>,
): { readonly next: Coupon; readonly back: bigint } | undefined {
  const [row] = find(coupon.state, event);
  const state = row?.next[0];
  if (state === undefined || state === 'same') return undefined;
  return withoutRest({ ...coupon, state });
}

/** Takes the money that is not held out of a funded coupon that gives nothing more. A percent coupon's budget is no money. */
export function withoutRest(coupon: Coupon): { readonly next: Coupon; readonly back: bigint } {
  const back = isFunded(coupon) && coupon.state !== 'waiting' ? coupon.budget - coupon.held : 0n;
  const fromPot = isOfPot(coupon) ? coupon.fromPot - back : coupon.fromPot;
  return { next: { ...coupon, budget: coupon.budget - back, fromPot }, back };
}

/** True if all uses of the coupon are held or spent. */
export const isTaken = ({ uses, taken }: Pick<Coupon, 'uses' | 'taken'>): boolean => uses !== undefined && taken >= uses;

/** True if the coupon can give nothing more: its uses or its budget are used up, and no use is held. */
export function isUsedUp(coupon: Coupon, rests: bigint): boolean {
  if (coupon.held > 0n || coupon.kind === 'credit') return false;
  if (coupon.budget < MIN_PARTS) return true;
  return isTaken(coupon) && rests < MIN_PARTS;
}

/** Returns the journal of the money that goes back to a coupon's pot, or undefined for none. */
export function givenBack(id: string, coupon: Pick<Coupon, 'id' | 'kind'>, parts: bigint): Journal | undefined {
  if (parts === 0n) return undefined;
  return { id, kind: 'coupon_expired', cause: coupon.id, legs: [leg(couponAccount(coupon.id), potFor(coupon), parts)] };
}

/** Returns the journal of the money that is set aside for a coupon. */
export const funded = (id: string, coupon: Pick<Coupon, 'id'>, parts: bigint): Journal => ({
  ...{ id, kind: 'coupon_issued', cause: coupon.id },
  legs: [leg(potAccount('late'), couponAccount(coupon.id), parts)],
});

const CODE = /^[0-9A-Z-]{4,32}$/;
/** Crockford's, without letters that are read as digits, or as each other. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a code in its stored form, in any copied form; undefined for an invalid one. */
export const canonicalCode = (text: string): string | undefined => typedCodes(text).at(0);

/**
 * Returns the codes that a text may stand for: as copied first, then with the letters and digits that its characters look like.
 */
export function typedCodes(text: string): string[] {
  const copied = copiedCode(text);
  const latin = withLatinLetters(copied);
  return [...new Set([copied, latin, withDigits(latin)])].filter((code) => CODE.test(code));
}

/** Returns a new code: ten random characters. */
export const newCode = (): string => Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
