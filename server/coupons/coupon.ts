// A coupon as a machine: its states, what moves it between them, and the posting of each step. Pure.

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
  /** Of the fee, as decimal text. */
  readonly percent: string | undefined;
  readonly value: bigint | undefined;
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
  readonly uses: number | undefined;
  readonly perCustomer: number;
  /** Slugs of the directions that it is for. */
  readonly directions: readonly string[] | undefined;
  /** What an order has to be worth at the least. */
  readonly least: bigint;
  readonly firstOnly: boolean;
  readonly emailKey: string | undefined;
  readonly holderId: string | undefined;
  /** A credit that its holder has switched off. */
  readonly isOff: boolean;
  readonly taken: number;
  readonly budget: bigint;
  readonly held: bigint;
  readonly fromPot: bigint;
  readonly most: bigint;
  readonly madeBy: readonly string[];
  readonly madeAt: Date;
  /** Action of the desk that made it. */
  readonly action: string | undefined;
  /** Of a late one: the order that earned it, the keys of that order's customer, and when it became live. */
  readonly earnedBy: string | undefined;
  readonly earnedKeys: readonly string[] | undefined;
  readonly givenAt: Date | undefined;
  /** True if its row was changed by SQL: it gives nothing. */
  readonly isAltered?: boolean;
}

/** Less than this is nothing: 0.01. */
export const LEAST_PARTS = 10_000n;

/** Whether its money was set aside as it was made. */
export const isFunded = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind !== 'percent';
/** Whether its money came out of the pot of late coupons. */
const isOfPot = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind === 'fixed' || kind === 'late';
/** Whether it is one balance, of which orders take as long as there is any. */
export const isBalance = ({ kind }: Pick<Coupon, 'kind'>): boolean => kind === 'late' || kind === 'credit';
/** The pot that gets what is left of a funded one: a credit was made of prizes. */
const potFor = ({ kind }: Pick<Coupon, 'kind'>) => potAccount(kind === 'credit' ? 'earn' : 'late');

/** The account of a coupon's money. */
export const couponAccount = (id: string) => accounts.coupon(id, REWARD_UNIT);

type Event = 'filled' | 'ended' | 'stop' | 'unearned' | 'closed';
type Posting = 'fund' | 'give_back';
type Row = MachineRow<CouponState, Event, Posting>;

/** The only way in which a coupon's state changes. What no row takes changes nothing. */
const ROWS: readonly Row[] = [
  { from: ['waiting'], event: 'filled', who: 'S', next: ['live'], money: ['fund'] },
  { from: ['live'], event: 'ended', who: 'S', next: ['over'], money: ['give_back'] },
  { from: ['live'], event: 'stop', who: 'O', next: ['stopped'], money: ['give_back'] },
  { from: ['waiting', 'live'], event: 'unearned', who: 'S', next: ['void'], money: ['give_back'] },
  { from: ['live'], event: 'closed', who: 'S', next: ['over'], money: ['give_back'], when: 'the account of a credit' },
];

/** What the postings are, and from where to where they go. */
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

/** A coupon after an event, with what goes back to its pot; undefined where the table has no such step. */
export function stepOf(
  coupon: Coupon,
  event: Exclude<Event, 'filled'>,
): { readonly next: Coupon; readonly back: bigint } | undefined {
  const [row] = find(coupon.state, event);
  const state = row?.next[0];
  if (state === undefined || state === 'same') return undefined;
  return withoutRest({ ...coupon, state });
}

/** What is not held of a funded coupon that gives nothing more, taken out of it. A percent coupon's budget is no money. */
export function withoutRest(coupon: Coupon): { readonly next: Coupon; readonly back: bigint } {
  const back = isFunded(coupon) && coupon.state !== 'waiting' ? coupon.budget - coupon.held : 0n;
  const fromPot = isOfPot(coupon) ? coupon.fromPot - back : coupon.fromPot;
  return { next: { ...coupon, budget: coupon.budget - back, fromPot }, back };
}

/** Whether all of its uses are held or spent. */
export const isTaken = ({ uses, taken }: Pick<Coupon, 'uses' | 'taken'>): boolean => uses !== undefined && taken >= uses;

/** Whether nothing more can come of it: its uses or its budget are used up, and none is held. */
export function isUsedUp(coupon: Coupon, rests: bigint): boolean {
  if (coupon.held > 0n || coupon.kind === 'credit') return false;
  if (coupon.budget < LEAST_PARTS) return true;
  return isTaken(coupon) && rests < LEAST_PARTS;
}

/** What of a coupon goes back to its pot, as a journal; undefined for nothing. */
export function givenBack(id: string, coupon: Pick<Coupon, 'id' | 'kind'>, parts: bigint): Journal | undefined {
  if (parts === 0n) return undefined;
  return { id, kind: 'coupon_expired', cause: coupon.id, legs: [leg(couponAccount(coupon.id), potFor(coupon), parts)] };
}

/** What is set aside for one, as a journal. */
export const funded = (id: string, coupon: Pick<Coupon, 'id'>, parts: bigint): Journal => ({
  ...{ id, kind: 'coupon_issued', cause: coupon.id },
  legs: [leg(potAccount('late'), couponAccount(coupon.id), parts)],
});

const CODE = /^[0-9A-Z-]{4,32}$/;
/** Crockford's, without letters that are read as digits, or as each other. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code as it is kept, however it was copied; undefined for what is none. */
export const canonicalCode = (text: string): string | undefined => typedCodes(text).at(0);

/** The codes that a text may stand for: as it was copied first, then with the letters and digits that its signs look like. */
export function typedCodes(text: string): string[] {
  const copied = copiedCode(text);
  const latin = withLatinLetters(copied);
  return [...new Set([copied, latin, withDigits(latin)])].filter((code) => CODE.test(code));
}

/** A new code: ten random characters. */
export const newCode = (): string => Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
