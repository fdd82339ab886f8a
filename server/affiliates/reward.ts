// A reward as a machine: its states, what moves it between them, and the posting of each step. Pure.

import { REWARD_UNIT } from '@kurs/money';
import { type AccountRef, type Journal, type Leg, accounts, leg } from '../ledger/index.ts';
import { type Machine, type MachineRow, rowFinder } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';

export type RewardState = 'waiting' | 'case' | 'pending' | 'available' | 'reversed' | 'refused' | 'given_up';

/** A reward as it is kept. */
export interface Reward {
  readonly id: string;
  /** The order that earned it. */
  readonly orderId: string;
  /** 1: who sent the customer · 2: who sent that affiliate. */
  readonly tier: 1 | 2;
  readonly holderId: string;
  readonly state: RewardState;
  /** Of the unit of rewards. */
  readonly parts: bigint;
  /** Parts that went back to the pot after it had matured, as its holder's account was closed. */
  readonly givenUp: bigint;
  /** Why people look at it first. */
  readonly reason: string | undefined;
  readonly maturesAt: Date;
  readonly madeAt: Date;
}

/**
 * `filled`: the pot reaches · `matured`: its days are over · `reversed`: a payment of its order was taken back, or all went back
 * to the customer · `pay`, `refuse`: people have decided a case · `closed`: its affiliate's account was
 */
type Event = 'filled' | 'matured' | 'reversed' | 'pay' | 'refuse' | 'closed';
type Posting = 'earn' | 'mature' | 'take_back_pending' | 'take_back_available' | 'give_up_available';
type Row = MachineRow<RewardState, Event, Posting>;

/** The only way in which a reward's state changes. What no row takes changes nothing. */
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

/** What the postings are, and from where to where they go. */
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

/** Where an event brings a reward; undefined where the table has no such step. */
export function nextOf({ state }: Pick<Reward, 'state'>, event: Event): RewardState | undefined {
  const next = find(state, event)[0]?.next[0];
  return next === 'same' ? undefined : next;
}

type RewardAccount = AccountRef<typeof REWARD_UNIT>;
/** What a holder's rewards stand in. */
export const pendingOf = (holderId: string): RewardAccount => accounts.affiliatePending(holderId, REWARD_UNIT);
export const availableOf = (holderId: string): RewardAccount => accounts.affiliateAvailable(holderId, REWARD_UNIT);
/** What they owe of rewards that had gone out. */
export const owedBy = (holderId: string): RewardAccount => accounts.receivable(`affiliate_${holderId}`, REWARD_UNIT);
const POT = potAccount('affiliate');

/** What is earned, as a journal under an id. */
export const earned = (id: string, { id: cause, holderId, parts }: Reward): Journal => ({
  ...{ id, kind: 'reward', cause },
  legs: [leg(POT, pendingOf(holderId), parts)],
});

/** A matured reward, as a journal under an id; what is `owed` is repaid from it. Gives what is owed then, too. */
export function matured(id: string, { id: cause, holderId, parts }: Reward, owed: bigint): { journal: Journal; owed: bigint } {
  const repaid = owed < parts ? owed : parts;
  const legs = [
    leg(pendingOf(holderId), availableOf(holderId), parts),
    ...legIf(availableOf(holderId), owedBy(holderId), repaid),
  ];
  return { journal: { id, kind: 'reward_matured', cause, legs }, owed: owed - repaid };
}

/** Repays what an affiliate owes from matured rewards (`there`), as a journal under an id. Gives what is owed then, too. */
export function repaid(
  id: string,
  { holderId, owed }: { readonly holderId: string; readonly owed: bigint },
  there: bigint,
): { journal: Journal; owed: bigint } {
  const parts = owed < there ? owed : there;
  const legs = legIf(availableOf(holderId), owedBy(holderId), parts);
  return { journal: { id, kind: 'reward_repaid', cause: holderId, legs }, owed: owed - parts };
}

/** What is taken back of a reward, as a journal under an id; what its account doesn't hold (`there`) is owed. */
export function takenBack(id: string, reward: Reward, there: bigint): { journal: Journal; lacks: bigint } {
  const { id: cause, holderId, state } = reward;
  const parts = reward.parts - reward.givenUp;
  const from = state === 'pending' ? pendingOf(holderId) : availableOf(holderId);
  const held = state === 'pending' || there > parts ? parts : there;
  const legs = [...legIf(from, POT, held), ...legIf(owedBy(holderId), POT, parts - held)];
  return { journal: { id, kind: 'reward_taken_back', cause, legs }, lacks: parts - held };
}

/**
 * Gives matured rewards up as their account is closed, as far as their money still stands there (`there`). What had left is matched
 * with the oldest of them, so that the newest are given up first. Returns those that changed: one that is given up in part stays
 * available.
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
