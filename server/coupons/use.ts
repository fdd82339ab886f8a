// The state machine of a coupon's use, and its effect on the coupon. Pure.

import { type Machine, type MachineRow, type Owner, rowFinder } from '../platform/index.ts';
import { type Coupon, MIN_PARTS } from './coupon.ts';

export type UseState = 'held' | 'spent' | 'free';

/** A stored use. Amounts are minor units of the unit of rewards. */
export interface Use {
  readonly id: string;
  readonly couponId: string;
  readonly state: UseState;
  readonly held: bigint;
  readonly spent: bigint;
  readonly rest: bigint;
  readonly restOf: string | undefined;
}

/** A use with all columns of its row. */
export interface StoredUse extends Use {
  readonly owner: Owner;
  /** Identities of its customer, in their stored form (`claimant-keys.ts`). */
  readonly keys: readonly string[];
  readonly at: Date;
  /** True if SQL changed the use's row. The rest of such a use can't be spent. */
  readonly isAltered?: boolean;
}

/** A use in the form that its owner stores. */
export interface HeldUse {
  readonly id: string;
  readonly coupon: string;
  /** Kind of the discount in the price. */
  readonly code: 'coupon' | 'late' | 'credit';
  /** Maximum amount that it takes of the coupon. */
  readonly held: bigint;
  /** True if the coupon's account holds the use's money. */
  readonly isFunded: boolean;
}

type Event = 'exchanged' | 'ended' | 'exchange_reversed';
type Posting = 'spend' | 'turn_round';
type Row = MachineRow<UseState, Event, Posting>;

/** The only changes of a use's state. An event without a row changes nothing. */
const ROWS: readonly Row[] = [
  { from: ['held'], event: 'exchanged', who: 'S', next: ['spent'], money: ['spend'] },
  { from: ['held'], event: 'ended', who: 'S', next: ['free'], money: [], when: 'it ended, or its payment came after the lock' },
  {
    ...{ from: ['free'], event: 'exchanged', who: 'S', next: ['spent'], money: ['spend'] },
    when: 'what came late, or was turned round, is exchanged after all, and one is left',
  },
  { from: ['spent'], event: 'exchange_reversed', who: 'S', next: ['free'], money: ['turn_round'] },
];

/** Words for each posting, with its accounts. They are legs of the exchange's journal. */
export const USE_POSTINGS: Readonly<Record<Posting, string>> = {
  spend: 'of a fixed, a late one or a credit: `coupon → desk:free`',
  turn_round: 'the same turned round: `desk:free → coupon`, what it lacks from `spent:loss`',
};

/** The table of uses, for its drawing and its proof. */
export const USE_MACHINE: Machine<UseState, Event, Row> = {
  name: 'coupon-use',
  file: 'server/coupons/use.ts',
  begins: [{ state: 'held', event: 'placed' }],
  states: {
    held: 'in `coupon:<id>`, for its owner alone',
    spent: 'with the desk, which let so much off',
    free: 'with the coupon again',
  },
  rests: new Set(['spent', 'free']),
  actors: { S: 'system' },
  rows: ROWS,
};

const find = rowFinder(ROWS);
const EVENT: Readonly<Record<UseState, Readonly<Partial<Record<UseState, Event>>>>> = {
  held: { spent: 'exchanged', free: 'ended' },
  free: { spent: 'exchanged' },
  spent: { free: 'exchange_reversed' },
};

/** True if the table allows a use to go from one state to another. */
export function mayMove(from: UseState, to: UseState): boolean {
  const event = EVENT[from][to];
  return event !== undefined && find(from, event).some(({ next }) => next.includes(to));
}

/** Effect of one use's move on its coupon, itself, and the use whose rest it takes. */
export interface Moved<U extends Use> {
  readonly coupon: Coupon;
  readonly use: U;
  /** Change of that other use's rest. */
  readonly restOf: bigint;
}

/** True if a coupon has one use left, with the amount of a free use that takes no other use's rest. */
export const hasRoom = ({ uses, taken, budget, held }: Coupon, use: Pick<Use, 'held'>): boolean =>
  (uses === undefined || taken < uses) && budget - held >= use.held;

/**
 * Moves a use to a state. `spent`: the amount that it takes of the coupon, at most the held one. Of a fixed coupon the held
 * amount that is not taken stays as the use's rest, unless it is below 0.01. Throws for a step that the table doesn't have, and
 * for a free use that is taken again although none is left.
 */
export function moveUse<U extends Use>(coupon: Coupon, use: U, to: UseState, spent: bigint): Moved<U> {
  if (!mayMove(use.state, to)) throw new Error(`A use that is ${use.state} never becomes ${to}`);
  if (spent > use.held) throw new Error(`A use takes ${spent} of its coupon, and ${use.held} are held`);
  const isOwn = use.restOf === undefined;
  const isAgain = use.state === 'free';
  if (isAgain && isOwn && !hasRoom(coupon, use)) throw new Error(`No use of the coupon ${coupon.id} is left`);
  const held = use.state === 'held' ? coupon.held - use.held : coupon.held;
  if (to === 'free') {
    const budget = coupon.budget + use.spent;
    const after = { ...coupon, held, budget, taken: coupon.taken - (isOwn ? 1 : 0) };
    // The spent or held part of a rest returns to its use's rest; a use's own rest returns to the coupon.
    return { coupon: after, use: { ...use, state: to, spent: 0n, rest: 0n }, restOf: isOwn ? 0n : use.held - storedRest(use) };
  }
  const left = coupon.kind === 'fixed' && use.held - spent >= MIN_PARTS ? use.held - spent : 0n;
  return {
    coupon: { ...coupon, held, budget: coupon.budget - spent, taken: coupon.taken + (isAgain && isOwn ? 1 : 0) },
    use: { ...use, state: to, spent, rest: isOwn ? left : 0n },
    // A held rest was taken out of its use before; a free one takes it now.
    restOf: isOwn ? 0n : left - (isAgain ? use.held : 0n),
  };
}

/** Returns what remains of a rest after a use of it was spent; it stays with the original use. */
function storedRest(use: Use): bigint {
  const left = use.held - use.spent;
  return use.state === 'spent' && left >= MIN_PARTS ? left : 0n;
}
