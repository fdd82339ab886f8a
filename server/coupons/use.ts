// A use of a coupon as a machine, and what it does to its coupon. Pure.

import { type Machine, type MachineRow, type Owner, rowFinder } from '../platform/index.ts';
import { type Coupon, LEAST_PARTS } from './coupon.ts';

export type UseState = 'held' | 'spent' | 'free';

/** A use as it is kept. Sums are parts of the unit of rewards. */
export interface Use {
  readonly id: string;
  readonly couponId: string;
  readonly state: UseState;
  readonly held: bigint;
  readonly spent: bigint;
  readonly rest: bigint;
  readonly restOf: string | undefined;
}

/** A use with all that its row says. */
export interface StoredUse extends Use {
  readonly owner: Owner;
  /** What its customer is known by, as it is stored (`claimant-keys.ts`). */
  readonly keys: readonly string[];
  readonly at: Date;
  /** True if its row was changed by SQL: its rest gives nothing. */
  readonly isAltered?: boolean;
}

/** A use as its owner remembers it. */
export interface HeldUse {
  readonly id: string;
  readonly coupon: string;
  /** Which discount of the price it gives. */
  readonly code: 'coupon' | 'late' | 'credit';
  /** At most so much is taken of the coupon. */
  readonly held: bigint;
  /** What it takes stands in the coupon's account. */
  readonly funded: boolean;
}

type Event = 'exchanged' | 'ended' | 'exchange_reversed';
type Posting = 'spend' | 'turn_round';
type Row = MachineRow<UseState, Event, Posting>;

/** The only way in which a use's state changes. What no row takes changes nothing. */
const ROWS: readonly Row[] = [
  { from: ['held'], event: 'exchanged', who: 'S', next: ['spent'], money: ['spend'] },
  { from: ['held'], event: 'ended', who: 'S', next: ['free'], money: [], when: 'it ended, or its payment came after the lock' },
  {
    ...{ from: ['free'], event: 'exchanged', who: 'S', next: ['spent'], money: ['spend'] },
    when: 'what came late, or was turned round, is exchanged after all, and one is left',
  },
  { from: ['spent'], event: 'exchange_reversed', who: 'S', next: ['free'], money: ['turn_round'] },
];

/** What the postings are, and from where to where they go; they stand in the journal of the exchange. */
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

/** Whether the table lets a use go from one state to another. */
export function mayMove(from: UseState, to: UseState): boolean {
  const event = EVENT[from][to];
  return event !== undefined && find(from, event).some(({ next }) => next.includes(to));
}

/** What one use's move does to its coupon, itself and the use whose rest it is of. */
export interface Moved<U extends Use> {
  readonly coupon: Coupon;
  readonly use: U;
  /** Change of the rest of the use that it is of. */
  readonly restOf: bigint;
}

/** Whether a coupon has one use left, with the sum of a use that is free and is no rest of another. */
export const hasRoom = ({ uses, taken, budget, held }: Coupon, use: Pick<Use, 'held'>): boolean =>
  (uses === undefined || taken < uses) && budget - held >= use.held;

/**
 * A use goes to a state; `spent`: what it takes of the coupon, at most what was held. Of a fixed coupon what was held and not
 * taken stays as the use's rest, less what is below 0.01. Throws for a step that the table doesn't have, and for a free use
 * that is taken again though none is left.
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
    // What was spent of a rest, or held of it, is its use's rest again; a use's own rest is the coupon's.
    return { coupon: after, use: { ...use, state: to, spent: 0n, rest: 0n }, restOf: isOwn ? 0n : use.held - keptRest(use) };
  }
  const left = coupon.kind === 'fixed' && use.held - spent >= LEAST_PARTS ? use.held - spent : 0n;
  return {
    coupon: { ...coupon, held, budget: coupon.budget - spent, taken: coupon.taken + (isAgain && isOwn ? 1 : 0) },
    use: { ...use, state: to, spent, rest: isOwn ? left : 0n },
    // What is held of a rest was taken out of it before; a free one takes it now.
    restOf: isOwn ? 0n : left - (isAgain ? use.held : 0n),
  };
}

/** What a spent use of a rest has left with the use that it is of. */
function keptRest(use: Use): bigint {
  const left = use.held - use.spent;
  return use.state === 'spent' && left >= LEAST_PARTS ? left : 0n;
}
