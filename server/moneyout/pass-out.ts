import { Problem } from '@kurs/contract';
import type { Money } from '@kurs/money';
import { type SteppedUp, isClosed, spendStep, spendSteps } from '../auth/index.ts';
import { dropUses, readCounted, requireWithinLimits, tryLimits } from '../compliance/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { peopleFor } from './rule.ts';
import { outLimits } from './settings.ts';
import { type Counting, type Out, countOut, customerKey, lockOut, readOut, uncountOut } from './counted-payouts.ts';
import { outKinds } from './kinds.ts';
import { type Leaving, obstacleAgain, obstaclesTo } from './obstacles.ts';
import { lockGuard, lockGuards } from './store.ts';

export interface OutAction extends Leaving {
  /** Id of the action. The action is recorded under this id for limits. */
  readonly id: string;
  /** Kind of money out, as its kind of owner has registered it. */
  readonly kind: string;
  readonly holder: { readonly id: string; readonly email: string };
  readonly usd: Money<'USD'>;
  /**
   * True if the money leaves the desk, so that operators may have to approve the action. False for a transfer between wallets.
   */
  readonly isOutgoing: boolean;
  /** True if the payout's owner adds the payout to the customer's limits itself, so that it isn't added twice. */
  readonly isCounted?: boolean;
  /** Amount that is sent, in parts of the receiving currency. Absent if the owner records the payout when it queues it. */
  readonly sent?: bigint;
}

/** An action, with the step-up by which its holder confirmed it. */
export interface Passing {
  readonly stepped: SteppedUp;
  readonly action: OutAction;
}

/** Result for an action that passed: the number of operators who must approve it. */
export interface Passed {
  readonly people: 0 | 1 | 2;
}

/**
 * Checks actions that take money out of wallets, in order. Everything that leaves a wallet must pass this check. Returns for each
 * action the number of operators who must approve it, or its problem. Problems are those of `obstaclesTo` and of the step-up, and
 * `validation` on `amount` for an amount above the limits. A refused action uses up no step-up and no limit. Passed actions are
 * added to their holders' limits. Call this first in the transaction that moves the money, since it locks the holders.
 */
export async function passOut(tx: Tx, all: readonly Passing[]): Promise<(Passed | Problem)[]> {
  for (const { action } of all) outKinds.require(action.kind);
  await lockGuards(tx, [...new Set(all.map(({ action }) => action.holder.id))].sort());
  const { problems, subjects } = await obstaclesTo(
    tx,
    all.map(({ action }) => action),
    tx.now,
  );
  const refused = new Map(problems.flatMap((problem, at) => (problem ? [[all[at], problem] as const] : [])));
  const refuse = (requests: readonly Passing[], found: readonly (Problem | undefined)[]): void =>
    found.forEach((problem, at) => problem && refused.set(requests[at], problem));

  const counting = all.flatMap((one, at) => (refused.has(one) || one.action.isCounted ? [] : [{ one, subject: subjects[at]! }]));
  const limits = await tryLimits(
    tx,
    counting.map(({ one: { action }, subject }) => ({ subject, usd: action.usd, owner: { kind: action.kind, id: action.id } })),
  );
  refuse(
    counting.map(({ one }) => one),
    limits.problems,
  );
  const spending = all.filter((one) => !refused.has(one));
  refuse(
    spending,
    await spendSteps(
      tx,
      spending.map(({ stepped }) => stepped),
    ),
  );
  await limits.count((at) => !refused.has(counting[at]?.one));
  const leaving = all.filter((one) => !refused.has(one) && one.action.isOutgoing);
  const people = await countLeaving(
    tx,
    leaving.map(({ action }) => action),
  );
  return all.map((one) => refused.get(one) ?? { people: people.get(one.action) ?? 0 });
}

/**
 * Returns the number of operators who must approve each action. Actions that need no approval are recorded at once, so that the
 * sums for later ones include them.
 */
async function countLeaving(tx: Tx, actions: readonly OutAction[]): Promise<Map<OutAction, 0 | 1 | 2>> {
  if (actions.length === 0) return new Map();
  await lockOut(tx);
  const all = actions.map((action) => ({ action, customer: customerOf(action), currency: action.to?.currency ?? '' }));
  const sums = await readOut(tx, tx.now, {
    customers: [...new Set(all.map(({ customer }) => customer))],
    currencies: [...new Set(all.map(({ currency }) => currency))],
  });
  const counting: Counting[] = [];
  const decided = all.map(({ action, customer, currency }): [OutAction, 0 | 1 | 2] => {
    const people = peopleOut(action.usd.parts, sums.of({ customer, currency }));
    if (people === 0 && action.to !== undefined && action.sent !== undefined) {
      const one = { payoutId: action.id, kind: action.kind, customer, usd: action.usd.parts, currency, parts: action.sent };
      counting.push(one);
      sums.add(one);
    }
    return [action, people];
  });
  await countOut(tx, counting);
  return new Map(decided);
}

/** Checks an action as `passOut` does, except its step-up, and changes nothing. Throws the problem. */
export async function wouldPass(db: Statements, action: Omit<OutAction, 'id'>, now: Date): Promise<Passed> {
  const {
    problems: [problem],
    subjects: [subject],
  } = await obstaclesTo(db, [action], now);
  if (problem || !subject) throw problem ?? new Error('an action was not looked at');
  requireWithinLimits(action.usd, await readCounted(db, subject, now));
  if (!action.isOutgoing) return { people: 0 };
  return { people: peopleOut(action.usd.parts, await outOf(db, action, now)) };
}

/**
 * Returns the number of operators who must approve an amount in USD cents, by the present limits. `out`: the sums that left
 * without approval.
 */
export const peopleOut = (usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>): 0 | 1 | 2 => peopleFor(usd, out, outLimits());

async function outOf(db: Statements, action: Pick<OutAction, 'holder' | 'to'>, now: Date): Promise<Out> {
  const [customer, currency] = [customerOf(action), action.to?.currency ?? ''];
  return (await readOut(db, now, { customers: [customer], currencies: [currency] })).of({ customer, currency });
}

const customerOf = ({ holder }: Pick<OutAction, 'holder'>): string => customerKey({ ...holder, holderId: holder.id });

/**
 * Checks that the money of a returned payout may go to another account. The payout's value was added to the limits when it first
 * left. Call this first in the transaction. Throws `withdrawals_frozen`, the problems of the step-up, and `validation` on the
 * field as `passOut` does.
 */
export async function redirectOut(
  tx: Tx,
  stepped: SteppedUp,
  action: { readonly holderId: string; readonly to: NonNullable<OutAction['to']>; readonly field: string },
): Promise<void> {
  const { holderId: id, to, field } = action;
  await lockGuard(tx, id);
  const obstacle = await obstacleAgain(tx, { holder: { id }, to, field }, tx.now);
  if (obstacle) throw obstacle;
  await spendStep(tx, stepped);
}

/**
 * Checks an approved action again just before it is executed: a closed account, a freeze, a debt, a block, the allow-list.
 * Returns the problem, whose code people see. Returns undefined if nothing stops the action.
 */
export async function whatStops(
  db: Statements,
  { holderId: id, unit, to }: Pick<OutAction, 'unit' | 'to'> & { readonly holderId: string },
  now: Date,
): Promise<Problem | undefined> {
  if (await isClosed(db, id)) return new Problem('account_closed');
  const [problem] = (await obstaclesTo(db, [{ holder: { id }, unit, to, field: 'to' }], now)).problems;
  return problem?.code === 'validation' ? new Problem('not_on_allow_list') : problem;
}

/** Removes cancelled actions from the sums that are used for limits. */
export async function takeBackOut(tx: Tx, ids: readonly string[]): Promise<void> {
  await dropUses(
    tx,
    ids.map((id) => ({ id })),
  );
  await uncountOut(tx, ids);
}
