// The state machine of a reward: its states, the events that change them, and the posting of each step. Pure.

import { REWARD_UNIT } from '@kurs/money';
import { type AccountRef, type Journal, type Leg, accounts, leg } from '../ledger/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';

export type RewardState = 'waiting' | 'case' | 'pending' | 'available' | 'reversed' | 'refused' | 'given_up';

/** A stored reward. */
export interface Reward {
  readonly id: string;
  /** The order that earned it. */
  readonly orderId: string;
  /** 1: for the affiliate who referred the customer · 2: for the one who referred that affiliate. */
  readonly tier: 1 | 2;
  readonly holderId: string;
  readonly state: RewardState;
  /** Amount in the unit of rewards. */
  readonly parts: bigint;
  /** Minor units that went back to the pot after it had matured, when its holder's account was closed. */
  readonly givenUp: bigint;
  /** Reason for manual review of the reward. */
  readonly reason: string | undefined;
  readonly maturesAt: Date;
  readonly madeAt: Date;
}

/**
 * `filled`: the pot has enough money · `matured`: its waiting days are over · `reversed`: a payment of its order was taken back,
 * or all of it went back to the customer · `pay`, `refuse`: people have decided a case · `closed`: its affiliate's account was
 * closed
 */
type Event = 'filled' | 'matured' | 'reversed' | 'pay' | 'refuse' | 'closed';
type Posting = 'earn' | 'mature' | 'take_back_pending' | 'take_back_available' | 'give_up_available';
type Row = MachineRow<RewardState, Event, Posting>;

/** The only changes of a reward's state. An event without a row changes nothing. */
const ROWS: readonly Row[] = [
  { from: ['waiting'], event: 'filled', who: 'S', next: ['pending'], money: ['earn'] },
  { from: ['pending'], event: 'matured', who: 'S', next: ['available'], money: ['mature'] },
  { from: ['waiting', 'case'], event: 'reversed', who: 'S', next: ['reversed'], money: [] },
  { from: ['pending'], event: 'reversed', who: 'S', next: ['reversed'], money: ['take_back_pending'] },
  { from: ['available'], event: 'reversed', who: 'S', next: ['reversed'], money: ['take_back_available'] },
  { from: ['case'], event: 'pay', who: 'O', next: ['waiting'], money: [], when: 'and is filled at once where the pot reaches' },
  { from: ['case'], event: 'refuse', who: 'O', next: ['refused'], money: [] },
  { from: ['waiting', 'case'], event: 'closed', who: 'S', next: ['given_up'], money: [] },
  { from: ['pending'], event: 'closed', who: 'S', next: ['given_up'], money: ['take_back_pending'] },
  {
    ...{ from: ['available'], event: 'closed', who: 'S', next: ['given_up', 'same'], money: ['give_up_available'] },
    when: 'as far as its money still stands there, the newest first; where only a part of it does, it stays, and that part is noted',
  },
];

/** Words for each posting, with its accounts. */
export const REWARD_POSTINGS: Readonly<Record<Posting, string>> = {
  earn: '`promo:affiliate → affiliate:pending`',
  mature: '`affiliate:pending → affiliate:available`, and from there to `receivable` up to what is owed',
  take_back_pending: '`affiliate:pending → promo:affiliate`',
  take_back_available: '`affiliate:available → promo:affiliate`, what it lacks from `receivable`; nothing of what was given up',
  give_up_available: '`affiliate:available → promo:affiliate`, one posting for all rewards of the account',
};

/** The table of rewards, for its drawing and its proof. */
export const REWARD_MACHINE: Machine<RewardState, Event, Row> = {
  name: 'reward',
  file: 'server/affiliates/reward.ts',
  begins: [
    { state: 'pending', event: 'order completed' },
    { state: 'waiting', event: 'order completed, and the pot does not reach' },
    { state: 'case', event: 'order completed, and something is shared with who earns it or they are suspended' },
  ],
  states: {
    waiting: 'nowhere: it waits for the pot, the oldest first',
    case: 'nowhere: people look at it',
    pending: 'in `affiliate:<holder>:pending`',
    available: 'in `affiliate:<holder>:available`, or gone from there',
    reversed: 'nowhere: its order was taken back',
    refused: 'nowhere: people refused it',
    given_up: 'nowhere: the account was closed',
  },
  rests: new Set(['available', 'reversed', 'refused', 'given_up']),
  actors: { S: 'system', O: 'operator' },
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns the state after an event, or undefined if the table has no such step. */
export function nextOf({ state }: Pick<Reward, 'state'>, event: Event): RewardState | undefined {
  const next = find(state, event)[0]?.next[0];
  return next === 'same' ? undefined : next;
}

type RewardAccount = AccountRef<typeof REWARD_UNIT>;
/** Account of a holder's rewards. */
export const pendingOf = (holderId: string): RewardAccount => accounts.affiliatePending(holderId, REWARD_UNIT);
export const availableOf = (holderId: string): RewardAccount => accounts.affiliateAvailable(holderId, REWARD_UNIT);
/** Account of a holder's debt for rewards that had left. */
export const owedBy = (holderId: string): RewardAccount => accounts.receivable(`affiliate_${holderId}`, REWARD_UNIT);
const POT = potAccount('affiliate');

/** Returns the journal of an earned reward, under an id. */
export const earned = (id: string, { id: cause, holderId, parts }: Reward): Journal => ({
  ...{ id, kind: 'reward', cause },
  legs: [leg(POT, pendingOf(holderId), parts)],
});

/** Returns the journal of a matured reward, under an id, which first repays what is `owed`; and the remaining debt. */
export function matured(id: string, { id: cause, holderId, parts }: Reward, owed: bigint): { journal: Journal; owed: bigint } {
  const repaid = owed < parts ? owed : parts;
  const legs = [
    leg(pendingOf(holderId), availableOf(holderId), parts),
    ...legIf(availableOf(holderId), owedBy(holderId), repaid),
  ];
  return { journal: { id, kind: 'reward_matured', cause, legs }, owed: owed - repaid };
}

/** Returns the journal that repays an affiliate's debt from matured rewards (`there`), under an id; and the remaining debt. */
export function repaid(
  id: string,
  { holderId, owed }: { readonly holderId: string; readonly owed: bigint },
  there: bigint,
): { journal: Journal; owed: bigint } {
  const parts = owed < there ? owed : there;
  const legs = legIf(availableOf(holderId), owedBy(holderId), parts);
  return { journal: { id, kind: 'reward_repaid', cause: holderId, legs }, owed: owed - parts };
}

/** Returns the journal that takes a reward back, under an id. The amount that its account doesn't hold (`there`) is owed. */
export function takenBack(id: string, reward: Reward, there: bigint): { journal: Journal; lacks: bigint } {
  const { id: cause, holderId, state } = reward;
  const parts = reward.parts - reward.givenUp;
  const from = state === 'pending' ? pendingOf(holderId) : availableOf(holderId);
  const held = state === 'pending' || there > parts ? parts : there;
  const legs = [...legIf(from, POT, held), ...legIf(owedBy(holderId), POT, parts - held)];
  return { journal: { id, kind: 'reward_taken_back', cause, legs }, lacks: parts - held };
}

/**
 * Gives up matured rewards of a closed account, as far as their money is still there (`there`). The oldest rewards count as those
 * that have left, so the newest are given up first. Returns the changed ones: one that is given up in part stays available.
 */
export function givenUp(matured: readonly Reward[], there: bigint): Reward[] {
  const newestFirst = matured.toSorted((one, other) => byTime(other.maturesAt, one.maturesAt) || (one.id < other.id ? 1 : -1));
  const changed: Reward[] = [];
  let left = there;
  for (const reward of newestFirst) {
    if (left === 0n) break;
    const parts = reward.parts < left ? reward.parts : left;
    left -= parts;
    changed.push({ ...reward, givenUp: parts, state: parts === reward.parts ? 'given_up' : reward.state });
  }
  return changed;
}

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime();

const legIf = (from: RewardAccount, to: RewardAccount, parts: bigint): Leg[] => (parts > 0n ? [leg(from, to, parts)] : []);
